import { addMoney, AddressLine, PriceBreakdown, StartTime } from '@portage/domain';
import { formatList, useLanguage } from '@portage/i18n';
import { CarryLine, Money } from '@portage/kit';
import { useRouterState } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { itemCount } from '../draft/draft.ts';
import { useDraft } from '../draft/draft-store.ts';
import { placed } from '../draft/ends.ts';
import { stepDone } from '../draft/steps.ts';
import { useEstimate } from './estimate-context.tsx';
import { useTipInSum } from './tip.ts';
import classes from './move-summary.module.css';

/** What has been answered so far, as a carry line from pickup to dropoff, with the price under it. */
export function MoveSummary() {
  const { t } = useTranslation(['estimate', 'domain']);
  const language = useLanguage();
  const draft = useDraft();
  const { estimate, phase } = useEstimate();
  const tip = useTipInSum();
  // the lines stand once on a page: the quote shows them itself
  const linesElsewhere = useRouterState({ select: ({ location }) => location.pathname }) === '/quote';
  const items = itemCount(draft);
  const { pickup, dropoff } = draft.ends;
  return (
    <div className={classes['root']}>
      <h2 className={classes['title']}>{t('summary.title')}</h2>
      <CarryLine
        label={t('summary.title')}
        points={[
          {
            key: 'pickup',
            state: placed(pickup) ? 'done' : 'planned',
            title: placed(pickup) ? (
              <AddressLine address={pickup.place.address} unit={pickup.unit} />
            ) : (
              t('summary.noPickup')
            ),
          },
          {
            key: 'items',
            state: items > 0 ? 'done' : 'planned',
            title:
              items > 0
                ? formatList(
                    [t('domain:count.items', { count: items }), t('domain:count.mates', { count: draft.mateCount })],
                    language,
                  )
                : t('summary.noItems'),
          },
          {
            key: 'date',
            state: stepDone(draft, 3) ? 'done' : 'planned',
            title: draft.date ? (
              <StartTime date={draft.date} time={draft.time} startsAt={draft.startsAt} />
            ) : (
              t('summary.noDate')
            ),
          },
          {
            key: 'dropoff',
            state: placed(dropoff) ? 'done' : 'planned',
            title: placed(dropoff) ? (
              <AddressLine address={dropoff.place.address} unit={dropoff.unit} />
            ) : (
              t('summary.noDropoff')
            ),
          },
        ]}
      />
      <div className={classes['price']} data-phase={phase}>
        {estimate && linesElsewhere ? (
          <p className={classes['total']}>
            <span>{t(tip === '0.00' ? 'domain:price.totalWithTaxes' : 'domain:price.totalWithTip')}</span>
            <Money value={addMoney(estimate.total, tip)} currency={estimate.currency} />
          </p>
        ) : estimate ? (
          <PriceBreakdown price={estimate} tip={tip} />
        ) : (
          <p className="pg-small pg-muted">{t('empty')}</p>
        )}
      </div>
    </div>
  );
}
