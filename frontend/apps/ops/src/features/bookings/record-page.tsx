import { PageHeading } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { bookingQuery } from './record/queries.ts';
import classes from './record/record.module.css';
import { RecordView } from './record/record-view.tsx';
import { Part } from './record/section.tsx';

/** A booking on a page of its own; on paper it is the job sheet, without prices. */
function RecordPage() {
  const { t } = useTranslation('record');
  const { id } = useParams({ from: '/desk/bookings/$id' });
  const booking = useQuery(bookingQuery(id));
  return (
    <>
      <div className={classes['top']}>
        <Link to="/bookings">{t('back')}</Link>
        <DeskButton icon={<IconPrinter size={16} stroke={1.75} aria-hidden />} onClick={() => print()}>
          {t('print')}
        </DeskButton>
      </div>
      {/* a key: each booking is a page that was reached */}
      <PageHeading
        key={booking.data ? id : 'loading'}
        title={booking.data ? t('title', { code: booking.data.shortId }) : t('loading')}
      />
      <Part query={booking} loading={t('loading')} failed={t('failed')}>
        {(data) => <RecordView key={data.id} booking={data} />}
      </Part>
    </>
  );
}

export const Route = createLazyRoute('/desk/bookings/$id')({ component: RecordPage });
