import { zodResolver } from '@hookform/resolvers/zod';
import { Button } from '@mantine/core';
import { announce, ErrorSummary, Notice, useSummary } from '@portage/kit';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';

import { newPassword, passwordLength } from './forms.ts';
import { postIdentity } from './identity-api.ts';
import { PasswordField } from './password-field.tsx';
import { showRefusal } from './refusal.ts';
import classes from './settings-section.module.css';

const schema = z.object({
  currentPassword: z.string().check(z.minLength(1, 'common:form.required')),
  password: newPassword,
});
type Values = z.infer<typeof schema>;
const empty: Values = { currentPassword: '', password: '' };

/** A new password, for somebody who knows the present one. Other devices are signed out. */
export function PasswordSection() {
  const { t } = useTranslation(['profile', 'common', 'identity']);
  const [attempt, setAttempt] = useState(0);
  const [done, setDone] = useState(false);
  const form = useForm<Values>({ resolver: zodResolver(schema), defaultValues: empty, mode: 'onTouched' });
  const labels = { currentPassword: t('identity:password.current'), password: t('identity:password.new') };
  const summary = useSummary(form.formState.errors, labels);
  const refused = () => setAttempt((now) => now + 1);
  const submit = form.handleSubmit(async (values) => {
    setDone(false);
    try {
      await postIdentity('change-password', values);
      form.reset(empty);
      setAttempt(0);
      setDone(true);
      announce(t('identity:password.done'));
    } catch (error) {
      showRefusal(form, error, ['currentPassword', 'password']);
      refused();
    }
  }, refused);
  return (
    <section aria-labelledby="settings-password" className={classes['section']}>
      <h2 id="settings-password">{t('identity:password.label')}</h2>
      {done ? <Notice tone="success">{t('identity:password.done')}</Notice> : null}
      {attempt > 0 ? <ErrorSummary items={summary} attempt={attempt} /> : null}
      <form onSubmit={submit} noValidate className={classes['form']}>
        <PasswordField
          control={form.control}
          name="currentPassword"
          label={labels.currentPassword}
          autoComplete="current-password"
        />
        <PasswordField
          control={form.control}
          name="password"
          label={labels.password}
          description={t('identity:password.rule', { min: passwordLength.min })}
          autoComplete="new-password"
        />
        <div>
          <Button type="submit" variant="default" loading={form.formState.isSubmitting}>
            {t('identity:password.save')}
          </Button>
        </div>
      </form>
    </section>
  );
}
