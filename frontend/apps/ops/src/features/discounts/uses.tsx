import { asProblem, type DiscountUse } from '@portage/api';
import { montrealZone } from '@portage/domain';
import { formatDateTime, formatName, useLanguage } from '@portage/i18n';
import { Money } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { Failed, Skeleton } from '@portage/kit/desk/states';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { Section } from '../../shell/catalogue/parts.tsx';
import { usesQuery } from './queries.ts';
import classes from './uses.module.css';

/** Who used a code, in which booking, the newest first. */
export function Uses({ id }: { id: string }) {
  const { t } = useTranslation('discounts');
  const uses = useInfiniteQuery(usesQuery(id));
  const rows = uses.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <Section title={t('uses.title')}>
      {uses.isError ? (
        <Failed title={t('uses.failed')} failure={asProblem(uses.error)} onRetry={() => void uses.refetch()} />
      ) : null}
      {uses.isPending ? (
        <Skeleton label={t('uses.title')} rows={3} />
      ) : rows.length === 0 && !uses.isError ? (
        <p className="pg-muted">{t('uses.empty')}</p>
      ) : (
        <ul className={classes['uses']}>
          {rows.map((use) => (
            <li key={`${use.bookingId} ${use.takenAt}`} data-returned={Boolean(use.returnedAt) || undefined}>
              <Use use={use} />
            </li>
          ))}
        </ul>
      )}
      {uses.hasNextPage ? (
        <DeskButton disabled={uses.isFetchingNextPage} onClick={() => void uses.fetchNextPage()}>
          {t('uses.more')}
        </DeskButton>
      ) : null}
    </Section>
  );
}

function Use({ use }: { use: DiscountUse }) {
  const { t } = useTranslation('discounts');
  const language = useLanguage();
  const when = (instant: string) => formatDateTime(instant, montrealZone, language);
  return (
    <>
      <span className={classes['who']}>
        {use.shortId ? (
          <Link to="/bookings/$id" params={{ id: use.bookingId }} className={classes['number']}>
            {use.shortId}
          </Link>
        ) : (
          <span className="pg-muted">{t('uses.noNumber')}</span>
        )}
        <span>{use.customer ? formatName(use.customer) : t('uses.nobody')}</span>
      </span>
      {use.off ? <Money value={use.off} /> : <span aria-hidden>–</span>}
      <span className={classes['when']}>
        <span>{t('uses.taken', { when: when(use.takenAt) })}</span>
        {use.returnedAt ? <span>{t('uses.returned', { when: when(use.returnedAt) })}</span> : null}
      </span>
    </>
  );
}
