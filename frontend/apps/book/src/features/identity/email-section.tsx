import { Button } from '@mantine/core';
import type { OwnProfile } from '@portage/api';
import { Notice } from '@portage/kit';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { useSession } from '../../shell/session.ts';
import { postIdentity, problemText } from './identity-api.ts';
import classes from './settings-section.module.css';

/** The address of the account, and a new verification link while it is not confirmed. */
export function EmailSection({ profile, embedded }: { profile: OwnProfile; embedded: boolean }) {
  const { t } = useTranslation(['identity', 'person']);
  const session = useSession();
  const verified = session.status === 'signedIn' && session.user['email_verified'] === true;
  const resend = useMutation({ mutationFn: () => postIdentity('resend-verification', {}) });
  return (
    <section aria-labelledby="settings-email" className={classes['section']}>
      <h2 id="settings-email">{t('person:email')}</h2>
      <p>
        {profile.email}
        <span className="pg-muted"> · {verified ? t('email.verified') : t('email.unverified')}</span>
      </p>
      {verified || !embedded ? null : (
        <>
          {resend.isSuccess ? (
            <Notice tone="success" live>
              {t('email.sent')}
            </Notice>
          ) : null}
          {resend.isError ? (
            <Notice tone="error" live>
              {problemText(resend.error)}
            </Notice>
          ) : null}
          <div>
            <Button variant="default" loading={resend.isPending} onClick={() => resend.mutate()}>
              {t('email.resend')}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
