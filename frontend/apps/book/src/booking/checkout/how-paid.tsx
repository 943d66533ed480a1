import type { Booking } from '@portage/api';
import { PolicyTimeline } from '@portage/domain';
import { useTranslation } from 'react-i18next';

/** Whether a stored card is charged on its own dates; every other way waits for somebody. */
export function chargedByItself({ payment }: Pick<Booking, 'payment'>): boolean {
  return payment === 'card';
}

interface HowPaidProps {
  booking: Booking;
  now: string;
  /** Kinds of charges that were tried: what became of them is told elsewhere, and their plan does not stand beside it. */
  done?: ReadonlySet<string>;
}

/** How a booking is paid and what cancelling costs, with its dates: what is not charged by itself is not promised so. */
export function HowPaid({ booking, now, done }: HowPaidProps) {
  const { t } = useTranslation('checkout');
  const { payment } = booking;
  return (
    <>
      {payment === 'card' ? null : (
        <p>
          <strong>{t('howPaid.title')}</strong>
          <br />
          {t(`howPaid.${payment}`, { email: booking.customerEmail })}
        </p>
      )}
      <PolicyTimeline
        plan={
          done?.size
            ? {
                ...booking.paymentPlan,
                charges: booking.paymentPlan.charges.filter(({ kind }) => !done.has(kind)),
              }
            : booking.paymentPlan
        }
        moveAt={booking.startsAt}
        promised={booking.time}
        currency={booking.currency}
        now={now}
        automatic={chargedByItself(booking)}
      />
    </>
  );
}
