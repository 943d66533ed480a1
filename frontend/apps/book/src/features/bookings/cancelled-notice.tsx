import type { Booking } from '@portage/api';
import { centsOf } from '@portage/domain';
import { Notice } from '@portage/kit';
import { formatDateTime, formatMoney, formatSentences, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

/** After a cancellation: when, what was kept, what went back, and what is owed that no card is charged for. */
export function CancelledNotice({ booking }: { booking: Booking }) {
  const { t } = useTranslation('bookings');
  const language = useLanguage();
  if (booking.status !== 'cancelled' || !booking.cancelledAt) return null;
  const kept = booking.kept ?? '0.00';
  const refunded = booking.refunded ?? '0.00';
  const owed = booking.stillOwed ?? '0.00';
  const isPaid = centsOf(booking.netPaid ?? kept) >= centsOf(kept);
  return (
    <Notice>
      {formatSentences(
        [
          t('cancelled.at', { when: formatDateTime(booking.cancelledAt, booking.zone, language, true) }),
          centsOf(kept) === 0
            ? t('cancelled.nothingKept')
            : // what was not paid was not there to be kept
              t(centsOf(owed) === 0 && isPaid ? 'cancelled.kept' : 'cancelled.costs', {
                amount: formatMoney(kept, language),
              }),
          centsOf(refunded) === 0 ? null : t('cancelled.refunded', { amount: formatMoney(refunded, language) }),
          centsOf(owed) === 0 ? null : t('cancelled.owed', { amount: formatMoney(owed, language) }),
        ],
        language,
      )}
    </Notice>
  );
}
