import { api, newIdempotencyKey, unwrap } from '@portage/api';
import { FormShell, useFormShell } from '@portage/forms';
import { currentLanguage, languages } from '@portage/i18n';
import { CheckboxField, Dialog, SelectField, TextField } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { showToast } from '@portage/kit/desk/toasts';
import { NameFields, nameRule } from '@portage/person';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';

import { useUnsaved } from '../../shell/unsaved.ts';

const schema = z.object({
  firstName: nameRule,
  lastName: nameRule,
  phone: z.string(),
  language: z.enum(['en', 'fr', 'zh']),
  email: z.string().check(z.trim(), z.regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, { error: 'common:form.invalid' })),
  admin: z.boolean(),
});

/** Asks a colleague in by mail, in their language. */
export function Invite({ onDone }: { onDone: () => Promise<void> }) {
  const { t } = useTranslation('members');
  const [opened, setOpened] = useState(false);
  return (
    <>
      <DeskButton variant="primary" onClick={() => setOpened(true)}>
        {t('invite.open')}
      </DeskButton>
      <Dialog opened={opened} title={t('invite.open')} onClose={() => setOpened(false)}>
        <InviteForm
          onDone={async () => {
            setOpened(false);
            await onDone();
          }}
        />
      </Dialog>
    </>
  );
}

function InviteForm({ onDone }: { onDone: () => Promise<void> }) {
  const { t } = useTranslation(['members', 'person', 'common']);
  const key = useRef(newIdempotencyKey());
  const labels = {
    firstName: t('person:firstName'),
    lastName: t('person:lastName'),
    email: t('person:email'),
    language: t('person:language'),
  };
  const shell = useFormShell({
    schema,
    labels,
    defaultValues: { firstName: '', lastName: '', phone: '', email: '', language: currentLanguage(), admin: false },
    check: 'onSubmit',
    send: async ({ firstName, lastName, email, language, admin }) => {
      try {
        return await unwrap(
          api.POST('/ops', {
            params: { header: { 'Idempotency-Key': key.current } },
            body: { firstName, lastName, email, language, admin },
          }),
        );
      } catch (error) {
        // what is sent after a refusal is another invitation
        key.current = newIdempotencyKey();
        throw error;
      }
    },
    onTaken: async (member) => {
      showToast({ text: t('invite.done', { email: member.email }) });
      await onDone();
    },
  });
  const { control, formState } = shell.form;
  useUnsaved(formState.isDirty && !shell.taken);
  return (
    <FormShell shell={shell} size="md" submitLabel={t('invite.send')}>
      <NameFields control={control} />
      <TextField control={control} name="email" label={labels.email} type="email" autoComplete="off" />
      <SelectField
        control={control}
        name="language"
        label={labels.language}
        data={languages.map((value) => ({ value, label: t(`common:lang.${value}`) }))}
      />
      <CheckboxField control={control} name="admin" label={t('invite.admin')} />
    </FormShell>
  );
}
