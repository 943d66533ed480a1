import type { Booking } from '@portage/api';
import { centsOf } from '@portage/domain';
import { formatMoney, useLanguage } from '@portage/i18n';
import { Notice } from '@portage/kit';
import { useTranslation } from 'react-i18next';

/** A move to come of which something is owed that no card is charged for: it is paid by a link that is mailed. */
export function OwedNotice({ booking }: { booking: Booking }) {
  const { t } = useTranslation('bookings');
  const language = useLanguage();
  const owed = booking.stillOwed ?? '0.00';
  const live = booking.status === 'pending' || booking.status === 'assigned';
  if (!live || centsOf(owed) === 0) return null;
  return <Notice tone="warning">{t('owed', { amount: formatMoney(owed, language) })}</Notice>;
}
