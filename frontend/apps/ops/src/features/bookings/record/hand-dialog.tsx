import { TextInput } from '@mantine/core';
import { api, asProblem, type DeskPayment, handMethods, unwrap } from '@portage/api';
import { formatList, useLanguage } from '@portage/i18n';
import { Dialog, ErrorState } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useMoney } from '../parts/use-money.ts';
import classes from './record.module.css';
import { usePress } from './use-press.ts';

interface HandDialogProps {
  payment: Pick<DeskPayment, 'id' | 'amount' | 'method'>;
  /** Code and name of the customer, where the page is not their record. */
  whose?: string;
  /** A refund that waits is handed over; a payment that was written down by mistake is taken out. */
  act: 'over' | 'undo';
  onClose: () => void;
}

/** Says that money was handed back, or that it never came. */
export function HandDialog({ payment, whose, act, onClose }: HandDialogProps) {
  const { t } = useTranslation(['record', 'shell']);
  const money = useMoney();
  const language = useLanguage();
  const method = handMethods.find((one) => one === payment.method);
  const about = formatList(
    [whose, method ? t(`hand.with.${method}`) : undefined].filter((one) => one !== undefined),
    language,
  );
  const [text, setText] = useState('');
  const { press, renew } = usePress((key) => {
    const params = { path: { id: payment.id }, header: { 'Idempotency-Key': key } };
    return act === 'over'
      ? unwrap(api.POST('/payments/{id}/handed-over', { params, body: { reference: text.trim() || null } }))
      : unwrap(api.POST('/payments/{id}/undo', { params, body: { reason: text.trim() } }));
  }, onClose);
  return (
    <Dialog
      opened
      title={t(`hand.${act}.title`, { amount: money(payment.amount) })}
      onClose={onClose}
      actions={
        <>
          <DeskButton onClick={onClose}>{t('shell:leaveAsIs')}</DeskButton>
          <DeskButton
            variant="primary"
            disabled={act === 'undo' && text.trim() === ''}
            busy={press.isPending}
            onClick={() => press.mutate()}
          >
            {t(`hand.${act}.run`)}
          </DeskButton>
        </>
      }
    >
      <div className={classes['form']}>
        {about ? <p>{about}</p> : null}
        <p>{t(`hand.${act}.text`)}</p>
        <TextInput
          label={t(`hand.${act}.field`)}
          required={act === 'undo'}
          withAsterisk={false}
          description={act === 'undo' ? t('shell:field.needed') : undefined}
          value={text}
          maxLength={100}
          onChange={(event) => {
            setText(event.currentTarget.value);
            renew();
          }}
        />
        {press.isError ? <ErrorState led failure={asProblem(press.error)} title={t('hand.failed')} /> : null}
      </div>
    </Dialog>
  );
}
