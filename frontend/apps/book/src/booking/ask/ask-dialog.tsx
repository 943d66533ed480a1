import { Button } from '@mantine/core';
import { api, type BookingObstacle, callTimes, newIdempotencyKey, type QuoteRequestBody, unwrap } from '@portage/api';
import { FormShell, useFormShell } from '@portage/forms';
import { languageOrder } from '@portage/frame';
import { useLanguage } from '@portage/i18n';
import { Dialog, Notice, SelectField, TextField } from '@portage/kit';
import { emailRule, phoneRule } from '@portage/person';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';

import { requestSoFar } from '../draft/booking-request.ts';
import { draftStore } from '../draft/draft-store.ts';

const schema = z
  .object({
    name: z.string().check(
      z.trim(),
      // it does not abort: what else is missing is said in the same round
      z.refine((name) => name !== '', { error: 'common:form.required' }),
      z.maxLength(100, 'person:tooLong'),
    ),
    email: z.string().check(
      z.trim(),
      z.refine((email) => email === '' || emailRule.safeParse(email).success, { error: 'person:emailInvalid' }),
    ),
    phone: phoneRule,
    callAt: z.enum(callTimes),
    language: z.enum(languageOrder),
  })
  .check(z.refine(({ email, phone }) => email !== '' || phone !== '', { error: 'askForm:oneOfBoth', path: ['email'] }));

interface AskDialogProps {
  opened: boolean;
  why: BookingObstacle[];
  onClose: () => void;
}

/** Who asks and how they are reached; the move as it stands goes along. */
export function AskDialog({ opened, why, onClose }: AskDialogProps) {
  const { t } = useTranslation('ask');
  return (
    <Dialog opened={opened} title={t('title')} onClose={onClose}>
      <AskForm why={why} onClose={onClose} />
    </Dialog>
  );
}

function AskForm({ why, onClose }: Omit<AskDialogProps, 'opened'>) {
  const { t } = useTranslation(['askForm', 'person', 'common']);
  const language = useLanguage();
  const [sent, setSent] = useState<{ name: string; email: string; phone: string } | null>(null);
  // the same wish sent again, after an answer that did not come, is one request
  const wish = useRef({ said: '', key: '' });
  const shell = useFormShell({
    schema,
    defaultValues: { name: '', email: '', phone: '', callAt: 'anytime', language },
    labels: {
      name: t('askForm:name'),
      email: t('person:email'),
      phone: t('person:phone'),
      callAt: t('askForm:callAt'),
      language: t('person:language'),
    },
    // passed by, it is no mistake
    check: 'onSubmit',
    send: (values) => {
      const draft = draftStore.get();
      const body: QuoteRequestBody = {
        ...values,
        obstacles: why,
        bookingRequest: requestSoFar({ ...draft, hold: null, savedQuote: null }),
      };
      const said = JSON.stringify(body);
      if (wish.current.said !== said) wish.current = { said, key: newIdempotencyKey() };
      return unwrap(api.POST('/quote-requests', { params: { header: { 'Idempotency-Key': wish.current.key } }, body }));
    },
    onTaken: (_, form) => setSent(form.getValues()),
  });
  const { control } = shell.form;
  if (sent)
    return (
      <>
        <Notice tone="success" live led title={t('askForm:sent.title', { name: sent.name.trim() })}>
          {sent.email.trim()
            ? t('askForm:sent.byMail', { email: sent.email.trim() })
            : t('askForm:sent.byPhone', { phone: sent.phone.trim() })}
        </Notice>
        <Button variant="default" mt={16} onClick={onClose}>
          {t('askForm:done')}
        </Button>
      </>
    );
  return (
    <>
      <p>{t('askForm:lead')}</p>
      <FormShell shell={shell} size="md" submitLabel={t('askForm:send')}>
        <TextField control={control} name="name" label={t('askForm:name')} autoComplete="name" maxLength={100} />
        <TextField
          control={control}
          name="email"
          label={t('person:email')}
          type="email"
          autoComplete="email"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextField control={control} name="phone" label={t('person:phone')} type="tel" autoComplete="tel" />
        <SelectField
          control={control}
          name="callAt"
          label={t('askForm:callAt')}
          data={callTimes.map((value) => ({ value, label: t(`askForm:callAt.${value}`) }))}
        />
        <SelectField
          control={control}
          name="language"
          label={t('person:language')}
          data={languageOrder.map((value) => ({ value, label: t(`common:lang.${value}`) }))}
        />
        <p className="pg-small pg-muted">{t('askForm:takes')}</p>
      </FormShell>
    </>
  );
}
