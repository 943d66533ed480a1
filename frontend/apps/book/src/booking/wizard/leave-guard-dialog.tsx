import { leaveGuard } from '@portage/frame';
import { ConfirmDialog } from '@portage/frame';
import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { draftStore } from '../draft/draft-store.ts';
import { inProgress } from '../draft/draft.ts';
import { wizardPaths } from '../draft/steps.ts';

// going on with the booking, or to sign in for it, is not leaving
const staying = new Set<string>([
  ...wizardPaths,
  '/confirmation',
  '/thank-you',
  '/signin',
  '/signup',
  '/forgotpassword',
  '/callback',
]);

function guarding(): boolean {
  return inProgress(draftStore.get()) && !leaveGuard.suspended;
}

/** Asks before the wizard is left or reloaded while a booking is in progress. */
export function LeaveGuard() {
  const { t } = useTranslation('wizard');
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) => guarding() && !staying.has(next.pathname),
    enableBeforeUnload: guarding,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      opened={blocker.status === 'blocked'}
      title={t('leave.question')}
      confirmLabel={t('leave.go')}
      cancelLabel={t('leave.stay')}
      danger
      onConfirm={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    />
  );
}
