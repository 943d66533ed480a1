import { zodResolver } from '@hookform/resolvers/zod';
import { Button } from '@mantine/core';
import { asProblem } from '@portage/api';
import { ErrorSummary, Notice, useSummary } from '@portage/kit';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

import { signIn } from '../../shell/session.ts';
import { AccountPage } from './account-page.tsx';
import { AtProvider } from './at-provider.tsx';
import { passwordLength, resetSchema, type ResetValues } from './forms.ts';
import { postIdentity } from './identity-api.ts';
import { PasswordField } from './password-field.tsx';
import { showRefusal } from './refusal.ts';

function EmbeddedResetPasswordPage() {
  const { t } = useTranslation(['identity', 'common']);
  const token = useLocation({ select: (location) => new URLSearchParams(location.searchStr).get('token') ?? '' });
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<'form' | 'done' | 'dead'>(token === '' ? 'dead' : 'form');
  const form = useForm<ResetValues>({
    resolver: zodResolver(resetSchema),
    defaultValues: { password: '' },
    mode: 'onTouched',
  });
  const labels = { password: t('identity:password.new') };
  const summary = useSummary(form.formState.errors, labels);
  const refused = () => setAttempt((now) => now + 1);

  const submit = form.handleSubmit(async (values) => {
    try {
      await postIdentity('reset-password', { token, password: values.password });
      setState('done');
    } catch (error) {
      if (asProblem(error).code === 'link_expired') setState('dead');
      else {
        showRefusal(form, error, ['password']);
        refused();
      }
    }
  }, refused);

  return (
    <AccountPage title={t('identity:reset.title')} invalid={attempt > 0 && summary.length > 0}>
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
        <>
          {attempt > 0 ? <ErrorSummary items={summary} attempt={attempt} /> : null}
          <form onSubmit={submit} noValidate>
            <PasswordField
              control={form.control}
              name="password"
              label={labels.password}
              description={t('identity:password.rule', { min: passwordLength.min })}
              autoComplete="new-password"
            />
            <Button type="submit" size="lg" loading={form.formState.isSubmitting}>
              {t('identity:password.save')}
            </Button>
          </form>
        </>
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
