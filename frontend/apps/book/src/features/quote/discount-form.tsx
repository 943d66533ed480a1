import { Button, TextInput } from '@mantine/core';
import { api, asProblem, unwrap } from '@portage/api';
import { announce, ConfirmDialog, ErrorState, Notice } from '@portage/kit';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { longestCode } from '../../booking/draft/draft.ts';
import { draftStore, useDraft } from '../../booking/draft/draft-store.ts';
import { useEstimate } from '../../booking/estimate/estimate-context.tsx';

const sameCode = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();

/** One code at a time: looked up for the booking's own day, applied by the estimate, replaced only after a question. */
export function DiscountForm() {
  const { t } = useTranslation(['quote', 'common', 'domain']);
  const draft = useDraft();
  const { phase, estimate } = useEstimate();
  const [code, setCode] = useState('');
  const [replacing, setReplacing] = useState(false);
  const [message, setMessage] = useState<string | null>(null);

  const lookup = useMutation({
    mutationFn: (wanted: string) =>
      unwrap(api.POST('/discount', { body: { discountCode: wanted, bookingDate: draft.date ?? '' } })),
    onSuccess: (found) => {
      draftStore.patch({ discountCode: found.code });
      setCode('');
      setMessage(null);
      announce(t('discount.applied', { code: found.code }));
    },
  });
  const problem = lookup.isError ? asProblem(lookup.error) : null;
  const unknown = problem !== null && problem.status >= 400 && problem.status < 500 && problem.status !== 429;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = code.trim();
    lookup.reset();
    if (wanted === '') setMessage(t('common:form.required', { p1: t('discount.label') }));
    else if (draft.discountCode && sameCode(draft.discountCode, wanted)) setMessage(t('discount.already'));
    else if (draft.discountCode) setReplacing(true);
    else {
      setMessage(null);
      lookup.mutate(wanted);
    }
  };
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
            <Button size="sm" variant="default" onClick={() => draftStore.patch({ discountCode: null })}>
              {t('discount.remove', { code: draft.discountCode })}
            </Button>
          }
        >
          {refused ? t('discount.invalid') : t('discount.applied', { code: draft.discountCode })}
        </Notice>
      ) : null}
      <form
        onSubmit={submit}
        noValidate
        style={{ display: 'flex', gap: 8, alignItems: 'flex-start', flexWrap: 'wrap' }}
      >
        <TextInput
          id="discount-code"
          label={t('discount.label')}
          value={code}
          maxLength={longestCode}
          autoComplete="off"
          autoCapitalize="characters"
          error={message ?? (unknown ? t('discount.invalid') : undefined)}
          onChange={(event) => {
            setCode(event.currentTarget.value);
            setMessage(null);
            if (lookup.isError) lookup.reset();
          }}
          style={{ flex: '1 1 200px' }}
        />
        <Button type="submit" variant="default" loading={lookup.isPending} mt={26}>
          {t('common:action.apply')}
        </Button>
      </form>
      {problem && !unknown ? <ErrorState failure={problem} /> : null}
      <ConfirmDialog
        opened={replacing}
        title={t('discount.replace', { code: code.trim() })}
        confirmLabel={t('common:action.replace')}
        onCancel={() => setReplacing(false)}
        onConfirm={() => {
          setReplacing(false);
          lookup.mutate(code.trim());
        }}
      />
    </section>
  );
}
