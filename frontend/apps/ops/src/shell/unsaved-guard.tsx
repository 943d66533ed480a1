import { ConfirmDialog, leaveGuard } from '@portage/frame';
import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { hasUnsaved } from './unsaved.ts';

const guarding = () => hasUnsaved() && !leaveGuard.suspended;

/** What the address opens within a page: a record beside a list, its form, or one of several forms. */
const openIn = (search: object) =>
  JSON.stringify([
    'open' in search ? search.open : null,
    'edit' in search ? search.edit : null,
    'group' in search ? search.group : null,
  ]);

/** Asks before a page with something unsaved is left or reloaded, or the record beside a list changes. */
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
