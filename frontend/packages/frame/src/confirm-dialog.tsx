import { type ComponentProps, lazy, Suspense, useState } from 'react';

const load = () => import('@portage/kit/confirm-dialog');
const Loaded = lazy(() => load().then((module) => ({ default: module.ConfirmDialog })));

/** Fetches the code of dialogs ahead; an app calls it when it has nothing better to do. */
export function preloadDialogs(): void {
  // asked for again when a dialog opens; until then nobody misses it
  load().catch(() => {});
}

/** The kit's dialog for a question, whose code comes when the first one opens: most visits see none. */
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
