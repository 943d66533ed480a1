import { zodResolver } from '@hookform/resolvers/zod';
import { Button } from '@mantine/core';
import { useConfig } from '@portage/frame';
import { ErrorSummary, Notice, TextField, useSummary } from '@portage/kit';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

import classes from './account-page.module.css';
import { AccountPage } from './account-page.tsx';
import { AtProvider } from './at-provider.tsx';
import { forgotSchema, type ForgotValues } from './forms.ts';
import { postIdentity } from './identity-api.ts';
import { showRefusal } from './refusal.ts';

function EmbeddedForgotPasswordPage() {
  const { t } = useTranslation(['identity', 'person', 'shell']);
  const search = useLocation({ select: (location) => location.searchStr });
  const config = useConfig();
  const [attempt, setAttempt] = useState(0);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm<ForgotValues>({
    resolver: zodResolver(forgotSchema),
    defaultValues: { email: new URLSearchParams(search).get('login_hint') ?? '' },
    // tabbing past, or leaving for another way in, is no mistake yet
    mode: 'onSubmit',
  });
  const labels = { email: t('person:email') };
  const summary = useSummary(form.formState.errors, labels);
  const refused = () => setAttempt((now) => now + 1);

  const submit = form.handleSubmit(async (values) => {
    try {
      await postIdentity('forgot-password', values);
      setSentTo(values.email);
    } catch (error) {
      showRefusal(form, error, ['email']);
      refused();
    }
  }, refused);

  return (
    <AccountPage
      title={t('identity:forgot.title')}
      lead={t('identity:forgot.lead')}
      invalid={attempt > 0 && summary.length > 0}
    >
      {sentTo === null ? (
        <>
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
            <Button type="submit" size="lg" loading={form.formState.isSubmitting}>
              {t('identity:forgot.action')}
            </Button>
          </form>
        </>
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
        <Link to="/signin" search>
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
