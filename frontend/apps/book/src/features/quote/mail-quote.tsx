import { Button } from '@mantine/core';
import { api, type MailedQuote, newIdempotencyKey, unwrap } from '@portage/api';
import { FormShell, useFormShell } from '@portage/forms';
import { useConfig } from '@portage/frame';
import { formatDateTime, useLanguage } from '@portage/i18n';
import { fieldId, Notice, TextField } from '@portage/kit';
import { emailRule } from '@portage/person';
import { IconMail } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';

import { bookingRequest } from '../../booking/draft/booking-request.ts';
import { draftStore } from '../../booking/draft/draft-store.ts';
import { forLink } from '../../booking/draft/stored-draft.ts';
import { useEstimate } from '../../booking/estimate/estimate-context.tsx';
import classes from './quote-page.module.css';

const schema = z.object({ email: emailRule });

/** The quote by mail, with a link back to it: for who wants to think about it, or to show it to somebody. */
export function MailQuote() {
  const { t } = useTranslation('quote');
  // most people go on to pay, and a form more would push what follows off a telephone's second screen
  const [opened, setOpened] = useState(false);
  return (
    <section className={classes['section']} aria-label={t('mail.title')}>
      {opened ? (
        <MailForm />
      ) : (
        <Button
          className={classes['mail']}
          variant="default"
          size="md"
          leftSection={<IconMail size={20} stroke={1.75} aria-hidden />}
          aria-expanded={false}
          onClick={() => setOpened(true)}
        >
          {t('mail.title')}
        </Button>
      )}
    </section>
  );
}

function MailForm() {
  const { t } = useTranslation(['quote', 'person', 'shell']);
  const language = useLanguage();
  const config = useConfig();
  const { phase, estimate } = useEstimate();
  const [sent, setSent] = useState<MailedQuote | null>(null);
  // the same wish sent again, after an answer that did not come, is one mail
  const wish = useRef({ said: '', key: '' });

  const shell = useFormShell({
    schema,
    defaultValues: { email: '' },
    labels: { email: t('person:email') },
    // passed by, it is no mistake
    check: 'onSubmit',
    settling: phase === 'loading' || phase === 'updating',
    obstacles: phase === 'fresh' ? [] : [{ key: 'price', text: t('quote:price.wait') }],
    send: ({ email }) => {
      const draft = draftStore.get();
      const body = {
        email,
        draft: forLink(draft),
        bookingRequest: { ...bookingRequest({ ...draft, hold: null }), expectedTotal: estimate?.total ?? null },
      };
      const said = JSON.stringify(body);
      if (wish.current.said !== said) wish.current = { said, key: newIdempotencyKey() };
      return unwrap(api.POST('/quotes', { params: { header: { 'Idempotency-Key': wish.current.key } }, body }));
    },
    onTaken: (answer, form) => {
      setSent(answer);
      // answered: whoever types the same once more wants another mail
      wish.current = { said: '', key: '' };
      // taken until another address is typed
      form.reset({ email: answer.sentTo });
    },
  });

  useEffect(() => {
    document.getElementById(fieldId('email'))?.focus();
  }, []);

  return (
    <>
      <h2>{t('quote:mail.title')}</h2>
      <p className="pg-muted">{t('quote:mail.lead')}</p>
      <FormShell
        shell={shell}
        size="md"
        variant="default"
        submitLabel={t('quote:mail.action')}
        takenText={
          sent && !sent.withheld
            ? t('quote:mail.sent', {
                email: sent.sentTo,
                until: formatDateTime(sent.validUntil, sent.zone, language, true),
              })
            : ''
        }
        actions={
          sent && !sent.withheld && config?.mode === 'demo' ? (
            <a href="/simulators/mailbox">{t('shell:demo.mailbox')}</a>
          ) : undefined
        }
      >
        <TextField
          control={shell.form.control}
          name="email"
          label={t('person:email')}
          type="email"
          autoComplete="email"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
        />
      </FormShell>
      {sent?.withheld && shell.taken ? (
        <Notice tone="warning" live led>
          {t('quote:mail.withheld', { email: sent.sentTo })}
        </Notice>
      ) : null}
      {sent && !sent.withheld ? <p className="pg-small pg-muted">{t('quote:mail.notThere')}</p> : null}
    </>
  );
}
