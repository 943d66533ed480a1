import { TextInput } from '@mantine/core';
import { api, asProblem, type DeskBooking, type HandMethod, handMethods, unwrap } from '@portage/api';
import { formatCents } from '@portage/domain';
import { Dialog, ErrorState } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { showToast } from '@portage/kit/desk/toasts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useMoney } from '../parts/use-money.ts';
import { AmountField, sendable } from './amount-field.tsx';
import classes from './record.module.css';
import { usePress } from './use-press.ts';

interface ReceivedDialogProps {
  booking: DeskBooking;
  /** The highest amount: what is owed. */
  owed: string;
  onClose: () => void;
}

/** Writes down cash, a transfer or a cheque. */
export function ReceivedDialog({ booking, owed, onClose }: ReceivedDialogProps) {
  const { t } = useTranslation(['record', 'common']);
  const money = useMoney();
  const [method, setMethod] = useState<HandMethod>('cash');
  const [amount, setAmount] = useState('');
  const [reference, setReference] = useState('');
  const cents = sendable(amount, owed);
  const complete = cents !== null && (method === 'cash' || reference.trim() !== '');
  const { press, renew } = usePress(
    (key) =>
      unwrap(
        api.POST('/bookings/{id}/payments', {
          params: { path: { id: booking.id }, header: { 'Idempotency-Key': key } },
          body: { method, amount: formatCents(cents ?? 0), reference: reference.trim() || null },
        }),
      ),
    () => {
      showToast({ text: t('hand.done', { amount: money(formatCents(cents ?? 0)), code: booking.shortId }) });
      onClose();
    },
  );
  return (
    <Dialog
      opened
      title={t('hand.title', { code: booking.shortId })}
      onClose={onClose}
      actions={
        <>
          <DeskButton onClick={onClose}>{t('common:action.cancel')}</DeskButton>
          <DeskButton variant="primary" disabled={!complete} busy={press.isPending} onClick={() => press.mutate()}>
            {t('hand.run')}
          </DeskButton>
        </>
      }
    >
      <div className={classes['form']}>
        <fieldset className={classes['choice']}>
          <legend>{t('hand.method')}</legend>
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
              {t(`hand.with.${one}`)}
            </label>
          ))}
        </fieldset>
        <AmountField
          label={t('hand.amount', { amount: money(owed) })}
          value={amount}
          most={owed}
          tooMuch={t('hand.tooMuch', { amount: money(owed) })}
          onChange={(value) => {
            setAmount(value);
            renew();
          }}
        />
        <TextInput
          label={t(`hand.reference.${method}`)}
          value={reference}
          maxLength={100}
          onChange={(event) => {
            setReference(event.currentTarget.value);
            renew();
          }}
        />
        <p className="pg-muted">{t('hand.note')}</p>
        {press.isError ? <ErrorState led failure={asProblem(press.error)} title={t('hand.failed')} /> : null}
      </div>
    </Dialog>
  );
}
