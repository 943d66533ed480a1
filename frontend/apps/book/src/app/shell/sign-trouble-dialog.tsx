import { ConfirmDialog } from '@portage/kit';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { tellSignTrouble, useSignTrouble } from '../auth/sign-trouble.ts';

/** Says that signing in or out did not work, wherever it was asked for, and tries again. */
export function SignTroubleDialog() {
  const { t } = useTranslation();
  const trouble = useSignTrouble();
  const [busy, setBusy] = useState(false);
  const out = trouble?.kind === 'signOut';
  return (
    <ConfirmDialog
      opened={trouble !== null}
      title={out ? t('signTrouble.signOut') : t('signTrouble.signIn')}
      confirmLabel={t('action.retry')}
      cancelLabel={t('action.close')}
      loading={busy}
      onCancel={() => tellSignTrouble(null)}
      onConfirm={() => {
        setBusy(true);
        void trouble?.again().finally(() => setBusy(false));
      }}
    >
      <p>{out ? t('signTrouble.signOutHelp') : t('signTrouble.signInHelp')}</p>
    </ConfirmDialog>
  );
}
