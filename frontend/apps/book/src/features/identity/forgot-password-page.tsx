import { FormShell, useFormShell } from '@portage/forms';
import { useConfig } from '@portage/frame';
import { Notice, TextField } from '@portage/kit';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './account-page.module.css';
import { AccountPage } from './account-page.tsx';
import { AtProvider } from './at-provider.tsx';
import { forgotSchema } from './forms.ts';
import { postIdentity, problemText, useTypedEmail } from './identity-api.ts';

function EmbeddedForgotPasswordPage() {
  const { t } = useTranslation(['identity', 'person', 'shell']);
  const config = useConfig();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const labels = { email: t('person:email') };
  const shell = useFormShell({
    schema: forgotSchema,
    defaultValues: { email: useTypedEmail() },
    labels,
    // tabbing past, or leaving for another way in, is no mistake yet
    check: 'onSubmit',
    send: async (values) => {
      await postIdentity('forgot-password', values);
      return values.email;
    },
    onTaken: setSentTo,
    sayRefusal: problemText,
  });

  return (
    <AccountPage title={t('identity:forgot.title')} lead={t('identity:forgot.lead')} invalid={shell.summary.length > 0}>
      {sentTo === null ? (
        <FormShell shell={shell} wide submitLabel={t('identity:forgot.action')}>
          <TextField
            control={shell.form.control}
            name="email"
            label={labels.email}
            type="email"
            autoComplete="username"
            inputMode="email"
            autoCapitalize="none"
            spellCheck={false}
          />
        </FormShell>
      ) : (
        <Notice
          tone="success"
          live
          title={t('identity:forgot.sentTitle')}
          action={config?.mode === 'demo' ? <a href="/simulators/mailbox">{t('shell:demo.mailbox')}</a> : undefined}
        >
          {t('identity:forgot.sent', { email: sentTo })}
        </Notice>
      )}
      <div className={classes['links']}>
        <Link to="/signin" search state={() => ({ email: shell.form.getValues('email') })}>
          {t('identity:backToSignIn')}
        </Link>
      </div>
    </AccountPage>
  );
}

/** Asks for a reset link. The answer is the same whether or not the address has an account. */
export function ForgotPasswordPage() {
  return (
    <AtProvider purpose="password">
      <EmbeddedForgotPasswordPage />
    </AtProvider>
  );
}
