import type { OwnProfile } from '@portage/api';
import { FormShell, useFormShell } from '@portage/forms';
import { Notice } from '@portage/kit';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';

import { useSession } from '../../shell/session.ts';
import { ChangeEmail } from './change-email.tsx';
import { postIdentity, problemText } from './identity-api.ts';
import classes from './settings-section.module.css';

/** Nothing is to be filled in: pressing is all. */
const schema = z.object({});

/** The address of the account, and a new verification link while it is not confirmed. */
export function EmailSection({ profile, embedded }: { profile: OwnProfile; embedded: boolean }) {
  const { t } = useTranslation(['identity', 'person']);
  const session = useSession();
  const verified = session.status === 'signedIn' && session.user['email_verified'] === true;
  const shell = useFormShell({
    schema,
    defaultValues: {},
    labels: {},
    send: () => postIdentity('resend-verification', {}),
  });
  return (
    <section aria-labelledby="settings-email" className={classes['section']}>
      <h2 id="settings-email">{t('person:email')}</h2>
      <p>
        {profile.email}
        <span className="pg-muted"> · {verified ? t('email.verified') : t('email.unverified')}</span>
      </p>
      {verified || !embedded ? null : (
        <FormShell
          shell={shell}
          size="md"
          variant="default"
          submitLabel={t('email.resend')}
          takenText={t('email.sent')}
          renderRefusal={(problem) => (
            <Notice tone="error" live>
              {problemText(problem)}
            </Notice>
          )}
        />
      )}
      {embedded ? <ChangeEmail /> : null}
    </section>
  );
}
