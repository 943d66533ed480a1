import { LinkButton } from '@portage/frame';
import { PageHeading } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import type { LastBooking } from '../../booking/checkout/last-booking.ts';
import classes from './payment.module.css';

/** Says that the booking is made, when somebody goes back to the payment page after paying; there is no second form. */
export function AlreadyBooked({ booking }: { booking: LastBooking }) {
  const { t } = useTranslation(['payment', 'checkout']);
  return (
    <>
      <PageHeading title={t('already.title')} lead={t('already.lead', { id: booking.shortId })} />
      <div className={classes['actions']}>
        <LinkButton to="/confirmation" search={{ booking: booking.id }}>
          {t('checkout:booking.seeYours')}
        </LinkButton>
        <LinkButton variant="default" to="/">
          {t('checkout:bookAnother')}
        </LinkButton>
      </div>
    </>
  );
}
