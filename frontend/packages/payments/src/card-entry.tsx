import { LoadingState, type SummaryItem } from '@portage/kit';
import { lazy, type ReactNode, type Ref, Suspense, useCallback, useImperativeHandle, useState } from 'react';

import type { CardHandle } from './card-handle.ts';

const DemoCardForm = lazy(() => import('./demo-card-form.tsx').then((module) => ({ default: module.DemoCardForm })));
const HostedCardForm = lazy(() =>
  import('./hosted-card-form.tsx').then((module) => ({ default: module.HostedCardForm })),
);

/** A value that comes later; a newer one takes the place of the first. */
function later<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let first: (value: T) => void = () => {};
  const held = {
    promise: new Promise<T>((resolve) => {
      first = resolve;
    }),
    resolve(value: T) {
      first(value);
      held.promise = Promise.resolve(value);
    },
  };
  return held;
}

interface CardEntryProps {
  ref: Ref<CardHandle>;
  /** Of the server's configuration; undefined until it is known. */
  provider: string | undefined;
  /** Ways to reach somebody, shown when the card fields do not come. */
  help: ReactNode;
  /** What the gateway lets its fields be made with; without it, what the signed-in person is given. */
  clientToken?: (() => Promise<string>) | undefined;
  /** Told what is wrong, each time it changes, by a card that leaves the summary to the form around it. */
  onLines?: ((lines: SummaryItem[]) => void) | undefined;
}

/** The card form of whichever gateway the server is set up for; neither is loaded before it is needed. */
export function CardEntry({ ref, provider, help, clientToken, onLines }: CardEntryProps) {
  // pressed before the form has arrived, the button waits for it instead of sending nothing
  const [form] = useState(later<CardHandle>);
  const arrived = useCallback(
    (handle: CardHandle | null) => {
      if (handle) form.resolve(handle);
    },
    [form],
  );
  useImperativeHandle(
    ref,
    () => ({
      tokenise: async () => (await form.promise).tokenise(),
      check: async () => (await form.promise).check(),
    }),
    [form],
  );
  const waiting = <LoadingState rows={3} height={44} />;
  if (provider === undefined) return waiting;
  return (
    <Suspense fallback={waiting}>
      {provider === 'simulator' ? (
        <DemoCardForm ref={arrived} onLines={onLines} />
      ) : (
        <HostedCardForm ref={arrived} help={help} clientToken={clientToken} onLines={onLines} />
      )}
    </Suspense>
  );
}
