import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { asProblem, type HandMethod, handMethods, type InvoiceRecord, newIdempotencyKey } from '@portage/api';
import { centsOf, formatCents, parseCents } from '@portage/domain';
import { languageOrder } from '@portage/frame';
import { formatMoney, useLanguage } from '@portage/i18n';
import { Dialog, ErrorState } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './batch.module.css';
import { changeBatch, payBatch, takeBack } from './queries.ts';

interface DialogProps {
  invoice: InvoiceRecord;
  onClose: () => void;
}

interface AskProps {
  title: string;
  run: string;
  disabled: boolean;
  send: () => Promise<unknown>;
  onClose: () => void;
  children: ReactNode;
}

/** One wish about an invoice; a refusal is said in the dialog. */
function Ask({ title, run, disabled, send, onClose, children }: AskProps) {
  const { t } = useTranslation(['batch', 'shell']);
  const queries = useQueryClient();
  const press = useMutation({
    mutationFn: send,
    onSuccess: onClose,
    onSettled: () => queries.invalidateQueries({ queryKey: ['desk'] }),
  });
  return (
    <Dialog
      opened
      title={title}
      onClose={onClose}
      actions={
        <>
          <DeskButton onClick={onClose}>{t('shell:leaveAsIs')}</DeskButton>
          <DeskButton variant="primary" disabled={disabled} busy={press.isPending} onClick={() => press.mutate()}>
            {run}
          </DeskButton>
        </>
      }
    >
      <div className={classes['form']}>
        {children}
        {press.isError ? <ErrorState led failure={asProblem(press.error)} title={t('refused')} /> : null}
      </div>
    </Dialog>
  );
}

/** Takes the invoice back with one credit note for all of its moves. */
export function TakeBackDialog({ invoice, onClose }: DialogProps) {
  const { t } = useTranslation(['batch', 'shell']);
  const [reason, setReason] = useState('');
  return (
    <Ask
      title={t('back.title', { number: invoice.number ?? '' })}
      run={t('back.run')}
      disabled={reason.trim() === ''}
      send={() => takeBack(invoice.id, reason.trim())}
      onClose={onClose}
    >
      <p>{t('back.text')}</p>
      <TextInput
        label={t('back.reason')}
        required
        withAsterisk={false}
        description={t('shell:field.needed')}
        value={reason}
        maxLength={1000}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Ask>
  );
}

/** Writes down what the partner paid: all of it, or a part. */
export function PaidDialog({ invoice, onClose }: DialogProps) {
  const { t } = useTranslation(['batch', 'shell']);
  const language = useLanguage();
  const key = useRef(newIdempotencyKey());
  const [method, setMethod] = useState<HandMethod>('etransfer');
  const [amount, setAmount] = useState(invoice.due);
  const [reference, setReference] = useState('');
  const cents = parseCents(amount);
  const good = cents !== null && cents > 0 && cents <= centsOf(invoice.due);
  // another wish has a key of its own
  const renew = () => {
    key.current = newIdempotencyKey();
  };
  return (
    <Ask
      title={t('paid.title', { number: invoice.number ?? '' })}
      run={t('paid.run')}
      disabled={!good || (method !== 'cash' && reference.trim() === '')}
      send={() =>
        payBatch(invoice.id, key.current, {
          method,
          amount: formatCents(cents ?? 0),
          reference: reference.trim() || null,
        })
      }
      onClose={onClose}
    >
      <p>{t('paid.text')}</p>
      <fieldset className={classes['choice']}>
        <legend>{t('paid.how')}</legend>
        {handMethods.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="method"
              checked={method === one}
              onChange={() => {
                setMethod(one);
                renew();
              }}
            />
            {t(`paid.${one}`)}
          </label>
        ))}
      </fieldset>
      <TextInput
        label={t('paid.amount')}
        inputMode="decimal"
        autoComplete="off"
        value={amount}
        maxLength={20}
        error={good ? undefined : t('paid.wrong', { amount: formatMoney(invoice.due, language) })}
        onChange={(event) => {
          setAmount(event.currentTarget.value);
          renew();
        }}
      />
      <TextInput
        label={t('paid.reference')}
        required={method !== 'cash'}
        withAsterisk={false}
        description={method === 'cash' ? undefined : t('shell:field.needed')}
        value={reference}
        maxLength={100}
        onChange={(event) => {
          setReference(event.currentTarget.value);
          renew();
        }}
      />
    </Ask>
  );
}

/** What staff write into the draft, with the partner's own number of each booking. */
export function DetailsDialog({ invoice, onClose }: DialogProps) {
  const { t } = useTranslation(['batch', 'papers', 'common']);
  const [edits, setEdits] = useState(invoice.edits);
  const [references, setReferences] = useState(() =>
    Object.fromEntries(invoice.bookings.map((one) => [one.bookingId, one.reference])),
  );
  const set = (change: Partial<typeof edits>) => setEdits((before) => ({ ...before, ...change }));
  return (
    <Ask
      title={t('details.title')}
      run={t('common:action.save')}
      disabled={false}
      send={() => changeBatch(invoice, edits, references)}
      onClose={onClose}
    >
      <TextInput
        label={t('papers:buyer')}
        placeholder={invoice.partner?.name}
        value={edits.buyer}
        maxLength={200}
        onChange={(event) => set({ buyer: event.currentTarget.value })}
      />
      <Textarea
        label={t('details.address')}
        description={t('details.addressHelp')}
        value={edits.address}
        maxLength={1000}
        autosize
        minRows={2}
        onChange={(event) => set({ address: event.currentTarget.value })}
      />
      <TextInput
        label={t('details.order')}
        value={edits.reference}
        maxLength={100}
        onChange={(event) => set({ reference: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('language')}
        value={edits.language ?? invoice.paper.language}
        onChange={(event) => set({ language: event.currentTarget.value as InvoiceRecord['paper']['language'] })}
        data={languageOrder.map((value) => ({ value, label: t(`common:lang.${value}`) }))}
      />
      {invoice.bookings.map((one) => (
        <TextInput
          key={one.bookingId}
          label={t('details.number', { code: one.shortId, customer: one.customer })}
          value={references[one.bookingId] ?? ''}
          maxLength={100}
          onChange={({ currentTarget }) =>
            setReferences((before) => ({ ...before, [one.bookingId]: currentTarget.value }))
          }
        />
      ))}
      <Textarea
        label={t('details.note')}
        value={edits.note}
        maxLength={1000}
        autosize
        minRows={2}
        onChange={(event) => set({ note: event.currentTarget.value })}
      />
    </Ask>
  );
}
