import { Button } from '@mantine/core';
import { asProblem } from '@portage/api';
import { FormShell, useFormShell } from '@portage/forms';
import { Notice } from '@portage/kit';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { signIn } from '../../shell/session.ts';
import { AccountPage } from './account-page.tsx';
import { AtProvider } from './at-provider.tsx';
import { passwordLength, resetSchema } from './forms.ts';
import { postIdentity, problemText } from './identity-api.ts';
import { PasswordField } from './password-field.tsx';

function EmbeddedResetPasswordPage() {
  const { t } = useTranslation(['identity', 'common']);
  const token = useLocation({ select: (location) => new URLSearchParams(location.searchStr).get('token') ?? '' });
  const [state, setState] = useState<'form' | 'done' | 'dead'>(token === '' ? 'dead' : 'form');
  const labels = { password: t('identity:password.new') };
  const shell = useFormShell({
    schema: resetSchema,
    defaultValues: { password: '' },
    labels,
    send: async ({ password }) => {
      try {
        await postIdentity('reset-password', { token, password });
        return 'done';
      } catch (error) {
        if (asProblem(error).code === 'link_expired') return 'dead';
        throw error;
      }
    },
    onTaken: setState,
    sayRefusal: problemText,
  });

  return (
    <AccountPage title={t('identity:reset.title')} invalid={shell.summary.length > 0}>
      {state === 'dead' ? (
        <Notice
          tone="warning"
          live
          action={
            <Button component={Link} to="/forgotpassword">
              {t('identity:reset.again')}
            </Button>
          }
        >
          {t('identity:reset.dead')}
        </Notice>
      ) : null}
      {state === 'done' ? (
        <Notice
          tone="success"
          live
          action={<Button onClick={() => void signIn('/profile')}>{t('common:action.signIn')}</Button>}
        >
          {t('identity:password.done')}
        </Notice>
      ) : null}
      {state === 'form' ? (
        <FormShell shell={shell} wide submitLabel={t('identity:password.save')}>
          <PasswordField
            control={shell.form.control}
            name="password"
            label={labels.password}
            description={t('identity:password.rule', { min: passwordLength.min })}
            autoComplete="new-password"
          />
        </FormShell>
      ) : null}
    </AccountPage>
  );
}

/** A new password by the link of a mail. */
export function ResetPasswordPage() {
  return (
    <AtProvider purpose="password">
      <EmbeddedResetPasswordPage />
    </AtProvider>
  );
}
