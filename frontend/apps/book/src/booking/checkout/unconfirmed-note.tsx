import { Notice } from '@portage/kit';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { useSession } from '../../shell/session.ts';

/** Where an account shows no booking: those made with its address are there once that is confirmed. */
export function UnconfirmedNote() {
  const { t } = useTranslation(['checkout', 'shell']);
  const session = useSession();
  if (session.status !== 'signedIn' || session.user['email_verified'] !== false) return null;
  return (
    <Notice action={<Link to="/profile/settings">{t('shell:page.settings')}</Link>}>
      {t('checkout:unconfirmed', { email: String(session.user['email'] ?? '') })}
    </Notice>
  );
}
