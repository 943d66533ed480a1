import { Button } from '@mantine/core';
import { useDurationText } from '@portage/domain';
import { formatDistance, formatMoney, useLanguage } from '@portage/i18n';
import { Notice } from '@portage/kit';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { draftStore, useDraft } from '../draft/draft-store.ts';
import { type Draft, itemCount, routeKey } from '../draft/draft.ts';
import { placed } from '../draft/ends.ts';
import { useEstimate } from '../estimate/estimate-context.tsx';
import { useFromPrice } from './from-price.ts';
import { TooFar } from './too-far.tsx';
import classes from './way.module.css';

/** Kinds that become a long-distance move beyond this many kilometres. */
const longFrom = 100;
const shortKinds = new Set<Draft['bookingType']>(['residential', 'storage', 'commercial']);

/**
 * Figures of a usual move. While the answers are asked for, `data-room` carries a text with them, and the style sheet keeps
 * as many lines for it, so that the button below does not move. The text is in no element: nobody can read it as an answer.
 */
const usual = { total: '1000.00', km: '20.5', minutes: 35 };

/** Both ends at one point, with nothing that tells one door from the other. */
export function isSamePlace({ ends: { pickup, dropoff } }: Pick<Draft, 'ends'>): boolean {
  if (!placed(pickup) || !placed(dropoff)) return false;
  const [a, b] = [pickup.place.coords, dropoff.place.coords];
  return (
    a.lat === b.lat && a.lon === b.lon && (pickup.unit.trim() === '' || pickup.unit.trim() === dropoff.unit.trim())
  );
}

/** What is known of the way once both addresses are: distance, time, where the price begins, and what is odd about it. */
export function Way() {
  const { t } = useTranslation(['wizard', 'estimate']);
  const language = useLanguage();
  const duration = useDurationText();
  const draft = useDraft();
  const { route, refused, routeProblem } = useEstimate();
  const from = useFromPrice();
  const box = useRef<HTMLDivElement>(null);
  const chosen = itemCount(draft) > 0;
  const searching = route === null && routeKey(draft) !== null && routeProblem === null;
  // where we do not go, neither way nor price means anything: the notice above says so
  if ((!route && !searching) || refused === 'area') return null;
  const long = route !== null && Number(route.km) > longFrom;
  const asking = !chosen && (searching || from.phase === 'loading');
  const drive = ({ km, minutes }: { km: string; minutes: number }) =>
    t('way.drive', { distance: formatDistance(km, language), duration: duration(minutes) });
  const fromWhat = draft.bookingType === 'longDistance' ? t('way.long') : t('way.fromWhat');
  return (
    <div ref={box} tabIndex={-1} className={classes['root']}>
      <div role="status" className={classes['facts']}>
        {/* whoever has chosen items has a price of their own, which stands in the bar */}
        {chosen || from.estimate === null ? null : (
          <p className={classes['from']} data-testid="from-price">
            {t('way.from', { total: formatMoney(from.estimate.total, language, from.estimate.currency) })}
          </p>
        )}
        {asking ? (
          <p className={classes['from']} data-room={t('way.from', { total: formatMoney(usual.total, language) })}>
            <span>{t('way.asking')}</span>
          </p>
        ) : null}
        <p className={classes['drive']} data-room={route ? undefined : drive(usual)}>
          {route ? drive(route) : null}
        </p>
      </div>
      {asking ? <p className="pg-small" data-room={fromWhat} /> : null}
      {!chosen && from.phase === 'known' ? <p className="pg-small pg-muted">{fromWhat}</p> : null}
      {!chosen && from.phase === 'failed' ? <p className="pg-small pg-muted">{t('way.noPrice')}</p> : null}
      {isSamePlace(draft) ? (
        <Notice tone="warning" live>
          {t('way.same')}
        </Notice>
      ) : null}
      <TooFar />
      {refused === null && long && shortKinds.has(draft.bookingType) ? (
        <Notice
          live
          action={
            <Button
              size="sm"
              variant="default"
              onClick={() => {
                draftStore.patch({ bookingType: 'longDistance' });
                // the button is gone with it: what it changed comes next
                box.current?.focus();
              }}
            >
              {t('way.chooseLong')}
            </Button>
          }
        >
          {t('way.long')}
        </Notice>
      ) : null}
    </div>
  );
}
