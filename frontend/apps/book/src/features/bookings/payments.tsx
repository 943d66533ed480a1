import { type BookedPayment, type Booking, paymentKinds } from '@portage/api';
import { centsOf } from '@portage/domain';
import { CarryLine } from '@portage/kit';
import { formatDateTime, formatMoney, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

import { chargedByItself } from '../../booking/checkout/how-paid.tsx';

/** What is said of money that was given and taken by hand, in the state its row shows. */
const byHand = { charged: 'came', refunded: 'back', planned: 'waits' } as const;

export type PaymentLook = 'planned' | 'working' | 'charged' | 'refunded' | 'declined' | 'void';

/** How a payment's state reads to the person whose card it is. */
export function paymentLook(payment: Pick<BookedPayment, 'kind' | 'state'>): PaymentLook {
  switch (payment.state) {
    case 'scheduled':
      return 'planned';
    case 'captured':
    case 'settled':
      return payment.kind === 'refund' ? 'refunded' : 'charged';
    // it was charged all the same: what went back has a line and an instant of its own
    case 'partially_refunded':
    case 'refunded':
    case 'charged_back':
      return 'charged';
    case 'soft_declined':
    case 'hard_declined':
    case 'failed':
      return 'declined';
    case 'voided':
    case 'expired':
    case 'skipped':
      return 'void';
    default:
      // processing, unknown, authorized: the bank has it
      return 'working';
  }
}

/** What was charged and refunded, oldest first, and what is still planned. */
export function Payments({ booking }: { booking: Booking }) {
  const { t } = useTranslation(['bookings', 'domain']);
  const language = useLanguage();
  const payments = (booking.payments ?? []).flatMap((payment) => {
    const look = paymentLook(payment);
    // a date is promised only where the card is charged by itself
    const dated = payment.kind === 'refund' || payment.method !== 'card' || chargedByItself(booking);
    // what was written down by mistake is told once, by the line that takes it out
    const mistaken = payment.neverCame === true && payment.kind !== 'refund';
    return mistaken || look === 'void' || (look === 'planned' && !dated) ? [] : [{ payment, look }];
  });
  // as long as nothing has happened the dates below say it all
  const credits = booking.credits ?? [];
  if (credits.length === 0 && payments.every(({ payment, look }) => look === 'planned' && payment.method === 'card'))
    return null;
  const when = (instant: string) => formatDateTime(instant, booking.zone, language, true);
  const title = ({ kind, method, amount: value, byBank, byLink, neverCame }: BookedPayment) => {
    const amount = formatMoney(value, language);
    if (byBank === true) return t('domain:charge.byBank', { amount });
    if (byLink === true) return t('payments.byLink', { amount });
    if (method !== 'card' && (kind !== 'refund' || neverCame === true)) return t(`payments.hand.${method}`, { amount });
    return t(`domain:charge.${paymentKinds.find((known) => known === kind) ?? 'difference'}`, { amount });
  };
  const said = (payment: BookedPayment, look: Exclude<PaymentLook, 'void'>) => {
    const instant = when(payment.settledAt ?? payment.dueAt);
    // its own instant is that of the charge, and the bank refused it days later
    if (look === 'declined' && payment.messageCode === 'settlement_declined') return t('payments.look.refusedLater');
    if (payment.neverCame === true) return t('payments.hand.out', { when: instant });
    if (payment.byBank === true) return t('payments.look.byBank', { when: instant });
    const hand = payment.method !== 'card' && (look === 'charged' || look === 'refunded' || look === 'planned');
    if (hand) return t(`payments.hand.${payment.kind === 'refund' ? byHand[look] : 'came'}`, { when: instant });
    return t(`payments.look.${look}`, { when: instant });
  };
  // where more went back than came, nothing is paid: what that leaves to pay is what is owed
  const paid = booking.netPaid != null && centsOf(booking.netPaid) < 0 ? '0.00' : booking.netPaid;
  const owed = booking.stillOwed ?? '0.00';
  return (
    <section aria-labelledby="booking-payments">
      <h2 id="booking-payments">{t('payments.title')}</h2>
      {paid == null ? null : <p>{t('payments.paid', { amount: formatMoney(paid, language) })}</p>}
      {centsOf(owed) > 0 ? <p>{t('payments.owed', { amount: formatMoney(owed, language) })}</p> : null}
      {credits.length > 0 ? (
        <ul>
          {credits.map((credit) => (
            <li key={credit.at}>
              {t(`payments.given.${credit.kind}`, {
                amount: formatMoney(credit.amount, language),
                when: when(credit.at),
                reason: credit.reason,
              })}
            </li>
          ))}
        </ul>
      ) : null}
      <CarryLine
        label={t('payments.title')}
        points={payments.map(({ payment, look }) => {
          const done = look === 'charged' || look === 'refunded';
          return {
            key: payment.id,
            state: done ? 'done' : look === 'planned' ? 'planned' : 'here',
            title: title(payment),
            children: (
              <>
                {said(payment, look)}
                {done && payment.cardLast4 ? <> · {t('domain:statement.card', { last4: payment.cardLast4 })}</> : null}
                {look === 'declined' ? <Said payment={payment} /> : null}
              </>
            ),
          };
        })}
      />
    </section>
  );
}

/** Why it was declined: in our words where Portage says it, in those of the bank where a bank did. */
function Said({ payment }: { payment: BookedPayment }) {
  const { t } = useTranslation('bookings');
  // said already, with what happened to it
  if (payment.messageCode === 'settlement_declined') return null;
  const code = saidCodes.find((known) => known === payment.messageCode);
  const words = code === undefined ? payment.message : t(`payments.said.${code}`);
  return words ? <div>{words}</div> : null;
}

const saidCodes = ['refund_declined', 'no_card', 'never_answered', 'voided'] as const;
