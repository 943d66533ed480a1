import { asProblem, type EstimateWarning, type PaymentPlan } from '@portage/api';
import { centsOf, PriceBreakdown, useDurationText } from '@portage/domain';
import { formatDistance, formatItems, useLanguage } from '@portage/i18n';
import { Money } from '@portage/kit';
import { Failed, Skeleton } from '@portage/kit/desk/states';
import { useTranslation } from 'react-i18next';

import { Charges } from '../parts/charges.tsx';
import { ClockOf } from '../parts/clock-of.tsx';
import formClasses from '../parts/form.module.css';
import { useShortWhen } from '../record/use-when.ts';
import type { OrderForm } from './form.ts';
import classes from './new.module.css';
import type { OrderPrice } from './price.ts';

/** Why a move cannot be booked as it is, in words for the desk. */
export function useWarningWords(): (warning: EstimateWarning) => string {
  const { t } = useTranslation('order');
  const language = useLanguage();
  return ({ code, mates, items = [] }) => {
    if (code === 'heavy_item_single_mate') return t('quote.heavy');
    if (code === 'min_mates') return t('quote.minMates', { count: mates ?? 3 });
    if (items.length === 0) return t('quote.supportSize');
    return t('quote.support', {
      items: formatItems(
        items.map((item) => item.name),
        language,
      ),
    });
  };
}

/** What cancelling costs from when on, by the clock of the move. */
function Cancellation({ plan }: { plan: PaymentPlan }) {
  const { t } = useTranslation(['order', 'domain']);
  const when = useShortWhen(plan.zone);
  return (
    <ul>
      {plan.cancellation.map(({ from, until, kept }, index) => {
        const free = centsOf(kept) === 0;
        const span = until
          ? free
            ? t('quote.cancelFree', { until: when(until) })
            : t('domain:policy.until', { until: when(until) })
          : t(index === 0 ? 'quote.cancelNow' : 'quote.cancelAfter');
        return (
          <li key={from} className={formClasses['row']}>
            <span>{span}</span>
            <Money value={kept} />
          </li>
        );
      })}
    </ul>
  );
}

/** What has been said so far costs this: the number for the caller first, then why, then when it is due. */
export function Quote({ form, price, total }: { form: OrderForm; price: OrderPrice; total: string | null }) {
  const { t } = useTranslation('order');
  const language = useLanguage();
  const duration = useDurationText();
  const warningWords = useWarningWords();
  const { incomplete, route, estimate, plan, settling } = price;
  const { data } = estimate;
  const failed = route.isError ? route : estimate.isError ? estimate : null;
  return (
    <aside className={formClasses['preview']} aria-label={t('quote.title')} aria-live="polite" aria-busy={settling}>
      <h2 className={formClasses['legend']}>{t('quote.title')}</h2>
      {failed ? (
        <Failed title={t('quote.failed')} failure={asProblem(failed.error)} onRetry={() => void failed.refetch()} />
      ) : incomplete ? (
        <p className="pg-muted">{t('quote.needs')}</p>
      ) : !data ? (
        <Skeleton label={t('quote.title')} rows={5} />
      ) : (
        <div className={classes['quote']} data-settling={settling || undefined}>
          <p className={classes['total']} data-testid="total">
            <Money value={total ?? data.total} currency={data.currency} />
          </p>
          <p className="pg-muted">
            {t('quote.work', {
              duration: duration(data.duration),
              distance: formatDistance(route.data?.km ?? '0', language),
            })}
          </p>
          {form.move.date ? null : <p className="pg-muted">{t('quote.ordinary')}</p>}
          {data.warnings.length > 0 || !data.is_duration_within_limit ? (
            <div role="alert">
              <ul className={classes['warnings']}>
                {data.warnings.map((warning) => (
                  <li key={warning.code}>{warningWords(warning)}</li>
                ))}
                {data.is_duration_within_limit ? null : <li>{t('quote.tooLong')}</li>}
              </ul>
            </div>
          ) : null}
          <PriceBreakdown price={data} />
          {plan.data ? (
            <>
              {form.payment === 'card' ? (
                <>
                  <h3 className={formClasses['legend']}>{t('quote.charges')}</h3>
                  <Charges plan={plan.data} />
                </>
              ) : null}
              <h3 className={formClasses['legend']}>{t('quote.cancel')}</h3>
              <Cancellation plan={plan.data} />
              <ClockOf zone={plan.data.zone} />
            </>
          ) : null}
        </div>
      )}
    </aside>
  );
}
