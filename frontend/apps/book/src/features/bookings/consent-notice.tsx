import type { Booking } from '@portage/api';
import { formatDateTime, formatSentences, useLanguage } from '@portage/i18n';
import { Notice } from '@portage/kit';
import { useTranslation } from 'react-i18next';

/** A move that was taken up again and whose charges wait for the customer's yes: by a mail, which alone has the link. */
export function ConsentNotice({ booking }: { booking: Booking }) {
  const { t } = useTranslation('bookings');
  const language = useLanguage();
  if (!booking.chargesWait) return null;
  const until = booking.consentUntil ? formatDateTime(booking.consentUntil, booking.zone, language, true) : null;
  return (
    <Notice tone="warning">
      {formatSentences(
        [t('consent.waits'), until === null ? t('consent.call') : t('consent.until', { until })],
        language,
      )}
    </Notice>
  );
}
