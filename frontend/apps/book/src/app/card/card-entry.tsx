import { LoadingState } from '@portage/kit';
import { lazy, type Ref, Suspense } from 'react';

import { useConfig } from '../config.ts';
import type { CardHandle } from './card-handle.ts';
import { DemoCardForm } from './demo-card-form.tsx';

const HostedCardForm = lazy(() =>
  import('./hosted-card-form.tsx').then((module) => ({ default: module.HostedCardForm })),
);

/** The card form of whichever gateway the server is set up for. */
export function CardEntry({ ref }: { ref: Ref<CardHandle> }) {
  const config = useConfig();
  if (!config) return <LoadingState rows={3} height={44} />;
  if (config.payments.provider === 'simulator') return <DemoCardForm ref={ref} />;
  return (
    <Suspense fallback={<LoadingState rows={3} height={44} />}>
      <HostedCardForm ref={ref} />
    </Suspense>
  );
}
