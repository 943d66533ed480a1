import { zodResolver } from '@hookform/resolvers/zod';
import { Button } from '@mantine/core';
import { CheckboxField, ErrorSummary, TextField, useSummary } from '@portage/kit';
import { currentLanguage } from '@portage/i18n';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

import classes from './account-page.module.css';
import { AccountPage } from './account-page.tsx';
import { AtProvider } from './at-provider.tsx';
import { AlreadySignedIn } from './already-signed-in.tsx';
import { passwordLength, signUpSchema, type SignUpValues } from './forms.ts';
import { goOn, postIdentity, returnToOf } from './identity-api.ts';
import { PasswordField } from './password-field.tsx';
import { showRefusal } from './refusal.ts';

function EmbeddedSignUpPage() {
  const { t } = useTranslation(['identity', 'common', 'person']);
  const search = useLocation({ select: (location) => location.searchStr });
  const returnTo = returnToOf(search);
  const [attempt, setAttempt] = useState(0);
  const form = useForm<SignUpValues>({
    resolver: zodResolver(signUpSchema),
    defaultValues: {
      firstName: '',
      lastName: '',
      email: new URLSearchParams(search).get('login_hint') ?? '',
      phone: '',
      password: '',
      acceptTerms: false,
    },
    mode: 'onTouched',
  });
  const labels = {
    firstName: t('person:firstName'),
    lastName: t('person:lastName'),
    email: t('person:email'),
    phone: t('person:phone'),
    password: t('identity:password.label'),
    acceptTerms: t('identity:terms.label'),
  };
  const summary = useSummary(form.formState.errors, labels);
  const refused = () => setAttempt((now) => now + 1);

  const submit = form.handleSubmit(async (values) => {
    try {
      const body = { ...values, language: currentLanguage(), ...(returnTo ? { returnTo } : {}) };
      await goOn(await postIdentity('sign-up', body), returnTo);
    } catch (error) {
      showRefusal(form, error, ['firstName', 'lastName', 'email', 'phone', 'password', 'acceptTerms']);
      refused();
    }
  }, refused);

  return (
    <AccountPage
      title={t('identity:signUp.title')}
      lead={t('identity:signUp.lead')}
      invalid={attempt > 0 && summary.length > 0}
    >
      {returnTo ? null : <AlreadySignedIn />}
      {attempt > 0 ? <ErrorSummary items={summary} attempt={attempt} /> : null}
      <form onSubmit={submit} noValidate>
        <div className={classes['names']}>
          <TextField control={form.control} name="firstName" label={labels.firstName} autoComplete="given-name" />
          <TextField control={form.control} name="lastName" label={labels.lastName} autoComplete="family-name" />
        </div>
        <TextField
          control={form.control}
          name="email"
          label={labels.email}
          description={t('identity:email.why')}
          type="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextField
          control={form.control}
          name="phone"
          label={labels.phone}
          optional
          description={t('person:phoneWhy')}
          type="tel"
          autoComplete="tel"
        />
        <PasswordField
          control={form.control}
          name="password"
          label={labels.password}
          description={t('identity:password.rule', { min: passwordLength.min })}
          autoComplete="new-password"
        />
        <div>
          <CheckboxField control={form.control} name="acceptTerms" label={labels.acceptTerms} />
          <Terms />
        </div>
        <Button type="submit" size="lg" loading={form.formState.isSubmitting}>
          {t('identity:signUp.action')}
        </Button>
      </form>
      <div className={classes['links']}>
        <span>
          {t('identity:signUp.haveAccount')}{' '}
          <Link to="/signin" search>
            {t('common:action.signIn')}
          </Link>
        </span>
      </div>
    </AccountPage>
  );
}

/** The terms beside the box that accepts them, folded away but not on another page. */
function Terms() {
  const { t } = useTranslation(['identity', 'domain']);
  return (
    <details className={classes['terms']}>
      <summary>{t('terms.read')}</summary>
      <ul className="pg-small">
        <li>{t('terms.price')}</li>
        <li>{t('terms.charges')}</li>
        <li>{t('terms.cancel')}</li>
        <li>{t('domain:rule.changes')}</li>
        <li>{t('terms.data')}</li>
      </ul>
    </details>
  );
}

/** The sign-up page of the embedded provider: an account, signed in at once, and on with the booking. */
export function SignUpPage() {
  return (
    <AtProvider purpose="signUp">
      <EmbeddedSignUpPage />
    </AtProvider>
  );
}
