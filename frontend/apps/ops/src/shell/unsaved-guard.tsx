import { ConfirmDialog, leaveGuard } from '@portage/frame';
import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { hasUnsaved } from './unsaved.ts';

const guarding = () => hasUnsaved() && !leaveGuard.suspended;

/** What of the address says which form is on screen: a record and its form, a part of a page, a day, and whose they are. */
const opening = ['open', 'edit', 'part', 'day', 'hub', 'year', 'group'];
const openIn = (search: object) => JSON.stringify(opening.map((key) => (search as Record<string, unknown>)[key]));

/** Asks before a page with something unsaved is left or reloaded, or what its address opens changes. */
export function UnsavedGuard() {
  const { t } = useTranslation('shell');
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      guarding() && (current.pathname !== next.pathname || openIn(current.search) !== openIn(next.search)),
    enableBeforeUnload: guarding,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      opened={blocker.status === 'blocked'}
      title={t('unsaved.question')}
      confirmLabel={t('unsaved.go')}
      cancelLabel={t('unsaved.stay')}
      danger
      onConfirm={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    >
      {t('unsaved.text')}
    </ConfirmDialog>
  );
}
