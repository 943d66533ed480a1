import { Button } from '@mantine/core';
import { FormShell, useFormShell } from '@portage/forms';
import { fieldId, Notice, TextField } from '@portage/kit';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { changeEmailSchema } from './forms.ts';
import { postIdentity, problemText, sessionQuery } from './identity-api.ts';
import { PasswordField } from './password-field.tsx';

const empty = { email: '', currentPassword: '' };

/** Another address for the account: a link goes to it, and nothing changes before somebody who is signed in opens that link. */
export function ChangeEmail() {
  const { t } = useTranslation('identity');
  const { data } = useQuery(sessionQuery);
  const [asking, setAsking] = useState(false);
  const pending = data?.pendingEmail ?? null;
  return (
    <>
      {pending !== null ? <Notice live>{t('changeEmail.pending', { email: pending })}</Notice> : null}
      {asking ? (
        <ChangeEmailForm onSent={() => setAsking(false)} />
      ) : (
        <div>
          <Button variant="default" onClick={() => setAsking(true)}>
            {pending === null ? t('changeEmail.open') : t('changeEmail.again')}
          </Button>
        </div>
      )}
    </>
  );
}

function ChangeEmailForm({ onSent }: { onSent: () => void }) {
  const { t } = useTranslation('identity');
  const queries = useQueryClient();
  const labels = { email: t('changeEmail.new'), currentPassword: t('password.current') };
  const shell = useFormShell({
    schema: changeEmailSchema,
    defaultValues: empty,
    labels,
    // an empty field that was only left is no mistake yet
    check: 'onSubmit',
    send: (values) => postIdentity('change-email', values),
    onTaken: async () => {
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
      onSent();
    },
    sayRefusal: problemText,
  });
  const { control } = shell.form;
  // the button that opened it is gone
  useEffect(() => {
    document.getElementById(fieldId('email'))?.focus();
  }, []);
  return (
    <FormShell shell={shell} size="md" variant="default" submitLabel={t('changeEmail.send')}>
      <TextField
        control={control}
        name="email"
        label={labels.email}
        description={t('changeEmail.how')}
        type="email"
        autoComplete="email"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
      />
      <PasswordField
        control={control}
        name="currentPassword"
        label={labels.currentPassword}
        autoComplete="current-password"
      />
    </FormShell>
  );
}
