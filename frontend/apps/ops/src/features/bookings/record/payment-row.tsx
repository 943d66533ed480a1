import type { DeskPayment } from '@portage/api';
import { formatList, useLanguage } from '@portage/i18n';
import { Money } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { usePaymentWords } from '../parts/payment-words.ts';
import { HandDialog } from './hand-dialog.tsx';
import classes from './record.module.css';
import { useShortWhen } from './use-when.ts';

const troubled = new Set(['unknown', 'soft_declined', 'hard_declined', 'failed', 'charged_back']);

/** A charge or refund: where it stands, when, by what; and what somebody does about one by hand. */
export function PaymentRow({ payment }: { payment: DeskPayment }) {
  const { t } = useTranslation('record');
  const language = useLanguage();
  const when = useShortWhen();
  const words = usePaymentWords();
  const [act, setAct] = useState<'over' | 'undo' | null>(null);
  const { dueAt, settledAt, nextAttemptAt, cardLast4, message, method, reference } = payment;
  const refund = payment.kind === 'refund';
  const waits = method !== 'card' && refund && payment.state === 'scheduled';
  const held = method !== 'card' && !refund && (payment.state === 'settled' || payment.state === 'partially_refunded');
  const facts = [
    settledAt ? t('pay.done', { when: when(settledAt) }) : waits ? null : t('pay.due', { when: when(dueAt) }),
    method !== 'card' && refund ? t(`hand.with.${method}`) : null,
    reference,
    nextAttemptAt && nextAttemptAt !== dueAt && !settledAt ? t('pay.again', { when: when(nextAttemptAt) }) : null,
    cardLast4 ? t('pay.card', { last4: cardLast4 }) : null,
  ].filter((one) => one != null);
  return (
    <li className={classes['payment']} data-trouble={troubled.has(payment.state) || undefined}>
      <span>
        <strong>{method === 'card' || refund ? words.kind(payment.kind) : t(`hand.with.${method}`)}</strong>{' '}
        <span className={classes['state']}>{waits ? t('hand.waits') : words.state(payment.state)}</span>
        <span className={classes['meta']}>{formatList(facts, language)}</span>
        {message && troubled.has(payment.state) ? <span className={classes['quote']}>{message}</span> : null}
        {waits ? <DeskButton onClick={() => setAct('over')}>{t('hand.over.open')}</DeskButton> : null}
        {held ? <DeskButton onClick={() => setAct('undo')}>{t('hand.undo.open')}</DeskButton> : null}
        {act ? <HandDialog payment={payment} act={act} onClose={() => setAct(null)} /> : null}
      </span>
      <Money value={payment.amount} />
    </li>
  );
}
