import { FormShell, useFormShell } from '@portage/forms';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';

import { newPassword, passwordLength } from './forms.ts';
import { postIdentity, problemText } from './identity-api.ts';
import { PasswordField } from './password-field.tsx';
import classes from './settings-section.module.css';

const schema = z.object({
  currentPassword: z.string().check(z.minLength(1, 'common:form.required')),
  password: newPassword,
});
const empty = { currentPassword: '', password: '' };

/** A new password, for somebody who knows the present one. Other devices are signed out. */
export function PasswordSection() {
  const { t } = useTranslation('identity');
  const labels = { currentPassword: t('password.current'), password: t('password.new') };
  const shell = useFormShell({
    schema,
    defaultValues: empty,
    labels,
    send: (values) => postIdentity('change-password', values),
    onTaken: (_, form) => form.reset(empty),
    sayRefusal: problemText,
  });
  const { control } = shell.form;
  return (
    <section aria-labelledby="settings-password" className={classes['section']}>
      <h2 id="settings-password">{t('password.label')}</h2>
      <FormShell
        shell={shell}
        size="md"
        variant="default"
        submitLabel={t('password.save')}
        takenText={t('password.done')}
      >
        <PasswordField
          control={control}
          name="currentPassword"
          label={labels.currentPassword}
          autoComplete="current-password"
        />
        <PasswordField
          control={control}
          name="password"
          label={labels.password}
          description={t('password.rule', { min: passwordLength.min })}
          autoComplete="new-password"
        />
      </FormShell>
    </section>
  );
}
