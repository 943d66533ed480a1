import type { CancellationWindow, PaymentPlan } from '@portage/api';
import { CarryLine, type Waypoint } from '@portage/kit';
import {
  formatCalendarDate,
  formatDateTime,
  formatDayAndClock,
  formatMoney,
  useLanguage,
  zoneName,
} from '@portage/i18n';
import { useTranslation } from 'react-i18next';

import { centsOf } from './money-math.ts';
import classes from './policy-timeline.module.css';
import { montrealDay, montrealZone, useStartClock } from './start-time.tsx';

interface PolicyTimelineProps {
  plan: PaymentPlan;
  /** Instant the move starts. */
  moveAt: string;
  /** The start by the clock at the pickup, `HH:MM`: where it differs from Montreal's, the start is told in both. */
  promised?: string | null;
  currency?: string;
  /** The instant the page is read, for marking what has already happened; a booking in the making has nothing behind it. */
  now?: string;
  /** False: nothing is charged by itself, so that only the move and what cancelling costs have dates. */
  automatic?: boolean;
}

/**
 * When money is taken and what cancelling costs, with the dates of this very booking. Everything shown was computed
 * by the server's policy; this component only writes it down in order.
 */
export function PolicyTimeline({
  plan,
  moveAt,
  promised,
  currency = 'CAD',
  now,
  automatic = true,
}: PolicyTimelineProps) {
  const { t } = useTranslation('domain');
  const language = useLanguage();
  const when = (instant: string) => formatDateTime(instant, plan.zone, language);
  const money = (amount: string) => formatMoney(amount, language, currency);
  const clock = useStartClock();
  const start =
    promised && plan.zone === montrealZone
      ? formatDayAndClock(formatCalendarDate(montrealDay(moveAt), language), clock(moveAt, promised), language)
      : when(moveAt);
  const past = (instant: string) => now !== undefined && instant <= now;

  const charges = automatic ? plan.charges : [];
  const events: { at: string; point: Waypoint }[] = charges.map((charge) => {
    const kind = charge.kind === 'deposit' || charge.kind === 'balance' ? charge.kind : 'full';
    const atBooking = plan.mode === 'full_at_once';
    return {
      at: charge.dueAt,
      point: {
        key: `charge-${charge.kind}-${charge.dueAt}`,
        state: past(charge.dueAt) ? 'done' : 'planned',
        title: t(`charge.${kind}`, { amount: money(charge.amount) }),
        children: atBooking ? t('policy.chargedNow') : when(charge.dueAt),
      },
    };
  });
  events.push({
    at: moveAt,
    point: { key: 'move', state: past(moveAt) ? 'done' : 'planned', title: t('policy.move'), children: start },
  });
  events.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));

  const points: Waypoint[] = [
    { key: 'now', state: now === undefined ? 'here' : 'done', title: t('policy.now') },
    ...events.map((event) => event.point),
  ];
  const zone = zoneName(plan.zone, language);
  return (
    <div>
      <CarryLine points={points} label={t('policy.title')} />
      <CancellationList windows={plan.cancellation} when={when} money={money} />
      {zone ? <p className={`pg-help ${classes['zone']}`}>{t('policy.zone', { zone })}</p> : null}
    </div>
  );
}

function CancellationList({
  windows,
  when,
  money,
}: {
  windows: CancellationWindow[];
  when: (instant: string) => string;
  money: (amount: string) => string;
}) {
  const { t } = useTranslation('domain');
  const span = (window: CancellationWindow, first: boolean) => {
    const from = when(window.from);
    if (window.until == null) return first ? t('policy.fromNow') : t('policy.from', { from });
    const until = when(window.until);
    return first ? t('policy.until', { until }) : t('policy.between', { from, until });
  };
  return (
    <ul className={classes['windows']}>
      {windows.map((window, index) => (
        <li key={window.from}>
          <strong>
            {centsOf(window.kept) === 0
              ? t('policy.cancelFree')
              : t('policy.cancelKept', { amount: money(window.kept) })}
          </strong>
          <div className="pg-muted pg-small">{span(window, index === 0)}</div>
        </li>
      ))}
    </ul>
  );
}
