import { PageHeading } from '@portage/kit';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

/** Instead of a booking that is not there: no second try would find it. */
export function Gone() {
  const { t } = useTranslation('record');
  return (
    <>
      <PageHeading title={t('gone.title')} lead={t('gone.text')} />
      <Link to="/bookings">{t('back')}</Link>
    </>
  );
}
