import { type ComponentProps, lazy, Suspense, useState } from 'react';

const load = () => import('@portage/kit/confirm-dialog');
const Loaded = lazy(() => load().then((module) => ({ default: module.ConfirmDialog })));

/** Fetches the code of dialogs before one is needed; an app calls it when the browser is idle. */
export function preloadDialogs(): void {
  // asked for again when a dialog opens; until then nobody misses it
  load().catch(() => {});
}

/** The kit's confirm dialog, loaded when the first one opens, because most visits open none. */
export function ConfirmDialog(props: ComponentProps<typeof Loaded>) {
  const [wanted, setWanted] = useState(props.opened);
  if (props.opened && !wanted) setWanted(true);
  if (!wanted) return null;
  return (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  );
}
