import { Glyph } from '@portage/domain';
import { LinkButton } from '@portage/frame';
import { formatName, type Language, useLanguage } from '@portage/i18n';
import { PageHeading } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import { lastBooking } from '../../booking/checkout/last-booking.ts';
import { useSession } from '../../shell/session.ts';
import classes from './confirmation.module.css';

/** How somebody is spoken to: by the first name, in Chinese by the whole one. */
function nameOf(
  { given_name: given, name }: { given_name?: string; name?: string },
  language: Language,
): string | null {
  return (language === 'zh' && name ? formatName(name) : given) ?? null;
}

/** The end of the way, and where one may go from here. */
export function ThankYouPage() {
  const { t } = useTranslation(['confirmation', 'checkout', 'shell']);
  const language = useLanguage();
  const session = useSession();
  const booked = lastBooking.read();
  const name = session.status === 'signedIn' ? nameOf(session.user, language) : null;
  return (
    <div className={classes['root']}>
      <div className={classes['glyph']}>
        <Glyph name="truck" size={120} />
      </div>
      <PageHeading
        title={name ? t('checkout:thanksNamed', { name }) : t('thanks.title')}
        lead={booked ? t('thanks.lead', { id: booked.shortId }) : t('thanks.leadNone')}
      />
      <ol className={classes['list']}>
        <li>{t('thanks.box')}</li>
        <li>{t('thanks.parking')}</li>
        <li>{t('thanks.phone')}</li>
      </ol>
      <div className={classes['actions']}>
        {booked ? (
          <LinkButton to="/confirmation" search={{ booking: booked.id }}>
            {t('thanks.see')}
          </LinkButton>
        ) : (
          <LinkButton to="/profile/bookings">{t('shell:page.bookings')}</LinkButton>
        )}
        <LinkButton variant="default" to="/">
          {t('checkout:bookAnother')}
        </LinkButton>
      </div>
    </div>
  );
}
