import { ConfirmDialog } from '@portage/frame';
import { useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';

import type { Session } from './session.ts';

/** Says that signing in or out did not work, wherever it was asked for, and tries again. */
export function SignTroubleDialog({ session }: { session: Session }) {
  const { t } = useTranslation(['common', 'session']);
  const trouble = useSyncExternalStore(session.signTrouble.subscribe, session.signTrouble.current);
  const [busy, setBusy] = useState(false);
  const out = trouble?.kind === 'signOut';
  return (
    <ConfirmDialog
      opened={trouble !== null}
      title={out ? t('session:trouble.signOut') : t('session:trouble.signIn')}
      confirmLabel={t('action.retry')}
      cancelLabel={t('action.close')}
      loading={busy}
      onCancel={() => session.signTrouble.tell(null)}
      onConfirm={() => {
        setBusy(true);
        void trouble?.again().finally(() => setBusy(false));
      }}
    >
      <p>
        {out
          ? t('session:trouble.signOutHelp')
          : trouble?.kind === 'storage'
            ? t('session:trouble.storageHelp')
            : t('session:trouble.signInHelp')}
      </p>
    </ConfirmDialog>
  );
}
