import { api, type DeskPayment, unwrap } from '@portage/api';
import { formatList, useLanguage } from '@portage/i18n';
import { Money } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { showToast } from '@portage/kit/desk/toasts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { ReasonDialog } from '../failed/reason-dialog.tsx';
import { usePaymentWords } from '../parts/payment-words.ts';
import { useMoney } from '../parts/use-money.ts';
import { HandDialog } from './hand-dialog.tsx';
import classes from './record.module.css';
import { useShortWhen } from './use-when.ts';

const troubled = new Set(['unknown', 'soft_declined', 'hard_declined', 'failed', 'charged_back']);

/** A charge or refund: where it stands, when, by what; and what somebody does about one by hand. */
export function PaymentRow({ payment }: { payment: DeskPayment }) {
  const { t } = useTranslation(['record', 'failed']);
  const money = useMoney();
  const language = useLanguage();
  const when = useShortWhen();
  const words = usePaymentWords();
  const [act, setAct] = useState<'over' | 'undo' | 'void' | 'writeOff' | null>(null);
  const { dueAt, settledAt, nextAttemptAt, cardLast4, message, method, reference, writeOff, neverCame } = payment;
  const refund = payment.kind === 'refund';
  const waits = method !== 'card' && refund && payment.state === 'scheduled';
  const held = method !== 'card' && !refund && (payment.state === 'settled' || payment.state === 'partially_refunded');
  // until it has settled the bank knows nothing of it
  const undoable = method === 'card' && !refund && payment.state === 'captured';
  const state = neverCame === true ? t('hand.out') : words.state(payment.state, payment.kind);
  const facts = [
    settledAt ? t('pay.done', { when: when(settledAt) }) : waits ? null : t('pay.due', { when: when(dueAt) }),
    method !== 'card' && refund ? t(`hand.with.${method}`) : null,
    reference,
    // a card that was refused for good is not tried again: what has an instant is the end of waiting for another one
    nextAttemptAt && nextAttemptAt !== dueAt && !settledAt && payment.state !== 'hard_declined'
      ? t('pay.again', { when: when(nextAttemptAt) })
      : null,
    cardLast4 ? t('pay.card', { last4: cardLast4 }) : null,
  ].filter((one) => one != null);
  return (
    <li className={classes['payment']} data-trouble={troubled.has(payment.state) || undefined}>
      <span>
        <strong>{method === 'card' || refund ? words.kind(payment.kind) : t(`hand.with.${method}`)}</strong>{' '}
        <span className={classes['state']}>{waits ? t('hand.waits') : state}</span>
        <span className={classes['meta']}>{formatList(facts, language)}</span>
        {message && troubled.has(payment.state) ? <span className={classes['quote']}>{message}</span> : null}
        {waits ? <DeskButton onClick={() => setAct('over')}>{t('hand.over.open')}</DeskButton> : null}
        {held ? <DeskButton onClick={() => setAct('undo')}>{t('hand.undo.open')}</DeskButton> : null}
        {undoable ? <DeskButton onClick={() => setAct('void')}>{t('failed:void.open')}</DeskButton> : null}
        {writeOff ? <DeskButton onClick={() => setAct('writeOff')}>{t('failed:writeOff')}</DeskButton> : null}
        {act === 'writeOff' ? (
          <ReasonDialog
            title={t('failed:writeOff.apart', { amount: money(writeOff ?? payment.amount) })}
            text={t('failed:writeOff.text')}
            run={t('failed:writeOff.run')}
            send={(reason, key) =>
              unwrap(
                api.POST('/payments/{id}/write-off', {
                  params: { path: { id: payment.id }, header: { 'Idempotency-Key': key } },
                  body: { reason },
                }),
              )
            }
            onDone={() => {
              showToast({ text: t('failed:writeOff.apartDone') });
              setAct(null);
            }}
            onClose={() => setAct(null)}
          />
        ) : act === 'void' ? (
          <ReasonDialog
            title={t('failed:void.title', { amount: money(payment.amount) })}
            text={t('failed:void.text')}
            run={t('failed:void.run')}
            send={(reason, key) =>
              unwrap(
                api.POST('/payments/{id}/void', {
                  params: { path: { id: payment.id }, header: { 'Idempotency-Key': key } },
                  body: { reason },
                }),
              )
            }
            onDone={() => {
              showToast({ text: t('failed:void.done'), seconds: 12 });
              setAct(null);
            }}
            onClose={() => setAct(null)}
          />
        ) : act ? (
          <HandDialog payment={payment} act={act} onClose={() => setAct(null)} />
        ) : null}
      </span>
      <Money value={payment.amount} />
    </li>
  );
}
