import { zodResolver } from '@hookform/resolvers/zod';
import { Button } from '@mantine/core';
import { ErrorSummary, Notice, TextField, useSummary } from '@portage/kit';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

import classes from './account-page.module.css';
import { AccountPage } from './account-page.tsx';
import { AtProvider } from './at-provider.tsx';
import { AlreadySignedIn } from './already-signed-in.tsx';
import { signInSchema, type SignInValues } from './forms.ts';
import { goOn, postIdentity, returnToOf } from './identity-api.ts';
import { PasswordField } from './password-field.tsx';
import { showRefusal } from './refusal.ts';

function EmbeddedSignInPage() {
  const { t } = useTranslation(['identity', 'common', 'person']);
  const search = useLocation({ select: (location) => location.searchStr });
  const query = new URLSearchParams(search);
  const returnTo = returnToOf(search);
  const [attempt, setAttempt] = useState(0);
  const form = useForm<SignInValues>({
    resolver: zodResolver(signInSchema),
    defaultValues: { email: query.get('login_hint') ?? '', password: '' },
    // tabbing past, or leaving for another way in, is no mistake yet
    mode: 'onSubmit',
  });
  const labels = { email: t('person:email'), password: t('identity:password.label') };
  const summary = useSummary(form.formState.errors, labels);
  const refused = () => setAttempt((now) => now + 1);
  const notice = query.get('notice');

  const submit = form.handleSubmit(async (values) => {
    try {
      await goOn(await postIdentity('sign-in', { ...values, ...(returnTo ? { returnTo } : {}) }), returnTo);
    } catch (error) {
      showRefusal(form, error, ['email', 'password']);
      refused();
    }
  }, refused);

  return (
    <AccountPage title={t('identity:signIn.title')} invalid={attempt > 0 && summary.length > 0}>
      {notice === 'signInToVerify' || notice === 'linkDead' ? (
        <div className={classes['notice']}>
          <Notice tone={notice === 'linkDead' ? 'warning' : 'info'}>{t(`identity:notice.${notice}`)}</Notice>
        </div>
      ) : null}
      {returnTo ? null : <AlreadySignedIn />}
      {attempt > 0 ? <ErrorSummary items={summary} attempt={attempt} /> : null}
      <form onSubmit={submit} noValidate>
        <TextField
          control={form.control}
          name="email"
          label={labels.email}
          type="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
        />
        <PasswordField control={form.control} name="password" label={labels.password} autoComplete="current-password" />
        <Button type="submit" size="lg" loading={form.formState.isSubmitting}>
          {t('common:action.signIn')}
        </Button>
      </form>
      <div className={classes['links']}>
        <span>
          {t('identity:signIn.noAccount')}{' '}
          <Link to="/signup" search>
            {t('identity:signUp.action')}
          </Link>
        </span>
        <Link to="/forgotpassword" search>
          {t('identity:forgot.link')}
        </Link>
      </div>
    </AccountPage>
  );
}

/** The sign-in page of the embedded provider. It serves every app of the site. */
export function SignInPage() {
  return (
    <AtProvider purpose="signIn">
      <EmbeddedSignInPage />
    </AtProvider>
  );
}
