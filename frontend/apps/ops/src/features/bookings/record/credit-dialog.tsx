import { TextInput } from '@mantine/core';
import { api, asProblem, type DeskBooking, unwrap } from '@portage/api';
import { centsOf, formatCents } from '@portage/domain';
import { Dialog, ErrorState } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { showToast } from '@portage/kit/desk/toasts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useMoney } from '../parts/use-money.ts';
import { AmountField, sendable } from './amount-field.tsx';
import classes from './record.module.css';
import { usePress } from './use-press.ts';

interface CreditDialogProps {
  booking: DeskBooking;
  /** How much of each kind can be given now. */
  most: { refund: string; goodwill: string };
  onClose: () => void;
}

const kinds = ['refund', 'goodwill'] as const;

/** Gives money back, or lowers what is owed. What each of them does is said before it is done. */
export function CreditDialog({ booking, most, onClose }: CreditDialogProps) {
  const { t } = useTranslation(['record', 'common', 'shell']);
  const money = useMoney();
  const possible = (kind: (typeof kinds)[number]) => centsOf(most[kind]) > 0;
  const [kind, setKind] = useState<(typeof kinds)[number]>(possible('refund') ? 'refund' : 'goodwill');
  const [amount, setAmount] = useState('');
  const [reason, setReason] = useState('');
  const cents = sendable(amount, most[kind]);
  const { press, renew } = usePress(
    (key) =>
      unwrap(
        api.POST('/bookings/{id}/refunds', {
          params: { path: { id: booking.id }, header: { 'Idempotency-Key': key } },
          body: { kind, amount: formatCents(cents ?? 0), reason: reason.trim() },
        }),
      ),
    () => {
      showToast({ text: t('credit.done', { amount: money(formatCents(cents ?? 0)), code: booking.shortId }) });
      onClose();
    },
  );
  return (
    <Dialog
      opened
      title={t('credit.title', { code: booking.shortId })}
      onClose={onClose}
      actions={
        <>
          <DeskButton onClick={onClose}>{t('common:action.cancel')}</DeskButton>
          <DeskButton
            variant="primary"
            disabled={cents === null || reason.trim() === ''}
            busy={press.isPending}
            onClick={() => press.mutate()}
          >
            {t(`credit.run.${kind}`)}
          </DeskButton>
        </>
      }
    >
      <div className={classes['form']}>
        <fieldset className={classes['options']}>
          <legend>{t('credit.kind')}</legend>
          {kinds.map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="credit"
                checked={kind === one}
                disabled={!possible(one)}
                onChange={() => {
                  setKind(one);
                  renew();
                }}
              />
              <span>
                {t(`credit.${one}`)}
                <span className={classes['meta']}>
                  {possible(one) ? t('credit.most', { amount: money(most[one]) }) : t(`credit.none.${one}`)}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
        <AmountField
          label={t('credit.amount')}
          value={amount}
          most={most[kind]}
          tooMuch={t('credit.tooMuch', { amount: money(most[kind]) })}
          onChange={(value) => {
            setAmount(value);
            renew();
          }}
        />
        <TextInput
          label={t('credit.reason')}
          required
          withAsterisk={false}
          description={t('shell:field.needed')}
          value={reason}
          maxLength={500}
          onChange={(event) => {
            setReason(event.currentTarget.value);
            renew();
          }}
        />
        <p className="pg-muted">{t('credit.stays')}</p>
        {press.isError ? <ErrorState led failure={asProblem(press.error)} title={t('credit.failed')} /> : null}
      </div>
    </Dialog>
  );
}
