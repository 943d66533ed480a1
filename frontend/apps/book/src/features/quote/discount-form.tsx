import { Button } from '@mantine/core';
import { api, unwrap } from '@portage/api';
import { SubmitButton, useFormShell } from '@portage/forms';
import { announce, ConfirmDialog, ErrorState, fieldId, Notice, TextField } from '@portage/kit';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';

import { longestCode } from '../../booking/draft/draft.ts';
import { draftStore, useDraft } from '../../booking/draft/draft-store.ts';
import { useEstimate } from '../../booking/estimate/estimate-context.tsx';

const empty = { code: '' };
const plain = (code: string) => code.trim().toLowerCase();

/** A code that is not the one in use. */
function schemaBeside(used: string | null) {
  return z.object({
    code: z.string().check(
      z.trim(),
      z.refine((code) => code !== '', { error: 'common:form.required', abort: true }),
      z.refine((code) => used === null || plain(code) !== plain(used), { error: 'quote:discount.already' }),
    ),
  });
}

/** One code at a time: looked up for the booking's own day, applied by the estimate, replaced only after a question, which is asked when the new one is known to be good. */
export function DiscountForm() {
  const { t } = useTranslation(['quote', 'common', 'domain', 'edit']);
  const draft = useDraft();
  const { phase, estimate } = useEstimate();
  /** A code that the server knows, while the person is asked whether it replaces the one in use. */
  const [found, setFound] = useState<string | null>(null);
  const take = (code: string) => {
    draftStore.patch({ discountCode: code });
    announce(t('discount.applied', { code }));
  };

  const shell = useFormShell({
    schema: schemaBeside(draft.discountCode),
    defaultValues: empty,
    labels: { code: t('edit:field.discount') },
    // passed by, it is no mistake
    check: 'onSubmit',
    leadTo: 'field',
    send: ({ code }) => unwrap(api.POST('/discount', { body: { discountCode: code, bookingDate: draft.date ?? '' } })),
    fieldsOf: ({ status }) =>
      status >= 400 && status < 500 && status !== 429 ? [{ field: 'code', message: 'quote:discount.invalid' }] : [],
    onTaken: ({ code }, form) => {
      if (draft.discountCode) {
        setFound(code);
        return;
      }
      form.reset(empty);
      take(code);
    },
  });
  const { control, reset } = shell.form;
  // the message stands below the field, where the sticky bar would cover it
  const box = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (shell.attempt > 0) box.current?.scrollIntoView({ block: 'nearest' });
  }, [shell.attempt]);
  // a code from a link is only checked by the price; the price says whether it took it
  const refused =
    draft.discountCode !== null && phase === 'fresh' && (estimate?.discountRefused ?? estimate?.discountCode === null);

  return (
    <section aria-labelledby="discount-title" style={{ display: 'grid', gap: 12 }}>
      <h2 id="discount-title">{t('domain:line.discount')}</h2>
      {draft.discountCode ? (
        <Notice
          tone={refused ? 'error' : 'success'}
          live
          action={
            <Button
              size="sm"
              variant="default"
              onClick={() => {
                draftStore.patch({ discountCode: null });
                // the button is gone with the code: another one may be typed
                document.getElementById(fieldId('code'))?.focus();
              }}
            >
              {t('discount.remove', { code: draft.discountCode })}
            </Button>
          }
        >
          {refused ? t('discount.invalid') : t('discount.applied', { code: draft.discountCode })}
        </Notice>
      ) : null}
      <form
        ref={box}
        onSubmit={(event) => void shell.submit(event)}
        noValidate
        style={{ display: 'flex', gap: 8, alignItems: 'flex-start', flexWrap: 'wrap' }}
      >
        <TextField
          control={control}
          name="code"
          label={t('edit:field.discount')}
          maxLength={longestCode}
          autoComplete="off"
          autoCapitalize="characters"
          style={{ flex: '1 1 200px' }}
        />
        <SubmitButton shell={shell} variant="default" mt={26}>
          {t('common:action.apply')}
        </SubmitButton>
      </form>
      {shell.problem ? <ErrorState failure={shell.problem} /> : null}
      <ConfirmDialog
        opened={found !== null}
        title={t('discount.replace', { code: found ?? '' })}
        confirmLabel={t('discount.replaceIt')}
        onCancel={() => setFound(null)}
        onConfirm={() => {
          setFound(null);
          reset(empty);
          if (found !== null) take(found);
        }}
      />
    </section>
  );
}
