import type { Booking } from '@portage/api';
import { LinkButton } from '@portage/frame';
import { formatMoney, useLanguage } from '@portage/i18n';
import { Notice } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import classes from './bookings.module.css';
import { paymentLook } from './payments.tsx';

/** The newest charge of the move that a bank refused, and where another card is added: it is tried with that at once. */
export function DeclinedNotice({ booking }: { booking: Booking }) {
  const { t } = useTranslation('bookings');
  const language = useLanguage();
  // a tip is never asked for again, and a refund is no matter of a card
  const declined = (booking.payments ?? []).findLast(
    (one) => one.method === 'card' && one.kind !== 'refund' && one.kind !== 'tip' && paymentLook(one) === 'declined',
  );
  if (!declined) return null;
  return (
    <Notice tone="warning">
      {t('declined.text', { amount: formatMoney(declined.amount, language) })}
      <div className={classes['remedy']}>
        <LinkButton to="/profile/settings" variant="default">
          {t('declined.card')}
        </LinkButton>
      </div>
    </Notice>
  );
}
