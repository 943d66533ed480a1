import { type BookedPayment, type Booking, paymentKinds } from '@portage/api';
import { CarryLine } from '@portage/kit';
import { formatDateTime, formatMoney, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

import { chargedByItself } from '../../booking/checkout/how-paid.tsx';

export type PaymentLook = 'planned' | 'working' | 'charged' | 'refunded' | 'declined' | 'void';

/** How a payment's state reads to the person whose card it is. */
export function paymentLook(payment: Pick<BookedPayment, 'kind' | 'state'>): PaymentLook {
  switch (payment.state) {
    case 'scheduled':
      return 'planned';
    case 'captured':
    case 'settled':
      return payment.kind === 'refund' ? 'refunded' : 'charged';
    case 'partially_refunded':
    case 'charged_back':
      return 'charged';
    case 'refunded':
      return 'refunded';
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
    return look === 'void' || (look === 'planned' && !chargedByItself(booking)) ? [] : [{ payment, look }];
  });
  // as long as nothing has happened the dates below say it all
  if (payments.every(({ look }) => look === 'planned')) return null;
  const when = (instant: string) => formatDateTime(instant, booking.zone, language, true);
  return (
    <section aria-labelledby="booking-payments">
      <h2 id="booking-payments">{t('payments.title')}</h2>
      {booking.netPaid == null ? null : <p>{t('payments.paid', { amount: formatMoney(booking.netPaid, language) })}</p>}
      <CarryLine
        label={t('payments.title')}
        points={payments.map(({ payment, look }) => {
          const done = look === 'charged' || look === 'refunded';
          return {
            key: payment.id,
            state: done ? 'done' : look === 'planned' ? 'planned' : 'here',
            title: t(`domain:charge.${paymentKinds.find((kind) => kind === payment.kind) ?? 'difference'}`, {
              amount: formatMoney(payment.amount, language),
            }),
            children: (
              <>
                {t(`payments.look.${look}`, { when: when(payment.settledAt ?? payment.dueAt) })}
                {done && payment.cardLast4 ? <> · {t('payments.card', { last4: payment.cardLast4 })}</> : null}
                {look === 'declined' && payment.message ? <div>{payment.message}</div> : null}
              </>
            ),
          };
        })}
      />
    </section>
  );
}
