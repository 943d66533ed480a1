import { asProblem } from '@portage/api';
import { formatName } from '@portage/i18n';
import { PageHeading } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { DeskStatus } from './parts/desk-status.tsx';
import { Gone } from './record/gone.tsx';
import { bookingQuery } from './record/queries.ts';
import classes from './record/record.module.css';
import { RecordView } from './record/record-view.tsx';
import { Part } from './record/section.tsx';

/** A booking on a page of its own; on paper it is the job sheet, without prices. */
function RecordPage() {
  const { t } = useTranslation(['record', 'shell']);
  const { id } = useParams({ from: '/desk/bookings/$id' });
  const booking = useQuery(bookingQuery(id));
  const { data } = booking;
  if (booking.isError && !data && asProblem(booking.error).status === 404) return <Gone />;
  return (
    <>
      <div className={classes['top']}>
        <Link to="/bookings">{t('back')}</Link>
        {data ? (
          <DeskButton icon={<IconPrinter size={16} stroke={1.75} aria-hidden />} onClick={() => print()}>
            {t('print')}
          </DeskButton>
        ) : null}
      </div>
      {/* a key: each booking is a page that was reached */}
      <div className={classes['heading']}>
        <PageHeading
          key={data ? id : 'loading'}
          title={
            data
              ? t('title', { code: data.shortId, name: formatName(data.customerName) })
              : booking.isError
                ? t('shell:area.bookings')
                : t('loading')
          }
        />
        {data ? <DeskStatus status={data.status} /> : null}
      </div>
      <Part query={booking} loading={t('loading')} failed={t('failed')}>
        {(data) => <RecordView key={data.id} booking={data} />}
      </Part>
    </>
  );
}

export const Route = createLazyRoute('/desk/bookings/$id')({ component: RecordPage });
