import { AddressLine, PriceBreakdown, StartTime } from '@portage/domain';
import { formatList, useLanguage } from '@portage/i18n';
import { CarryLine } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import { itemCount } from '../draft/draft.ts';
import { useDraft } from '../draft/draft-store.ts';
import { stepDone } from '../draft/steps.ts';
import { useEstimate } from './estimate-context.tsx';
import { useTip } from './header-estimate.tsx';
import classes from './move-summary.module.css';

/** What has been answered so far, as a carry line from pickup to dropoff, with the price under it. */
export function MoveSummary() {
  const { t } = useTranslation(['estimate', 'domain']);
  const language = useLanguage();
  const draft = useDraft();
  const { estimate, phase } = useEstimate();
  const tip = useTip();
  const items = itemCount(draft);
  return (
    <div className={classes['root']}>
      <h2 className={classes['title']}>{t('summary.title')}</h2>
      <CarryLine
        label={t('summary.title')}
        points={[
          {
            key: 'pickup',
            state: draft.pickupCoords ? 'done' : 'planned',
            title:
              draft.pickup && draft.pickupCoords ? (
                <AddressLine address={draft.pickup} unit={draft.pickupAptUnit} />
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
            state: draft.dropoffCoords ? 'done' : 'planned',
            title:
              draft.dropoff && draft.dropoffCoords ? (
                <AddressLine address={draft.dropoff} unit={draft.dropoffAptUnit} />
              ) : (
                t('summary.noDropoff')
              ),
          },
        ]}
      />
      <div className={classes['price']} data-phase={phase}>
        {estimate ? <PriceBreakdown price={estimate} tip={tip} /> : <p className="pg-small pg-muted">{t('empty')}</p>}
      </div>
    </div>
  );
}
