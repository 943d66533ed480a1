import { addMoney, PriceBreakdown } from '@portage/domain';
import { announce, DisclosurePanel, ErrorState, Money } from '@portage/kit';
import { formatMoney, useLanguage } from '@portage/i18n';
import { IconChevronDown } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { useDraft } from '../draft/draft-store.ts';
import { useEstimate } from './estimate-context.tsx';
import { useFromPrice } from './from-price.ts';
import classes from './header-estimate.module.css';
import { useTipInSum } from './tip.ts';

/** The total, below it what it is made of, a tooltip that says it is an estimate, and the breakdown on demand. */
export function HeaderEstimate() {
  const { t } = useTranslation('estimate');
  const language = useLanguage();
  const draft = useDraft();
  const { phase, estimate, problem, routeProblem, retry } = useEstimate();
  const tip = useTipInSum();
  const from = useFromPrice(false).estimate;
  const money = (value: string) => formatMoney(value, language);

  // said once the price has settled, not on every step on the way
  const said = useRef<string | null>(null);
  useEffect(() => {
    if (phase !== 'fresh' || !estimate) return;
    const text = estimate.total;
    if (said.current !== null && said.current !== text) {
      announce(t('announce', { total: formatMoney(addMoney(text, tip), language) }));
    }
    said.current = text;
  }, [phase, estimate, tip, t, language]);

  if (!estimate) {
    return (
      <div className={classes['empty']} data-testid="estimate" data-phase={phase}>
        <span className={classes['label']}>{t('label')}</span>
        <span className={classes['none']}>
          {t(phase === 'failed' ? 'failed' : phase === 'loading' ? 'updating' : from ? 'from' : 'emptyShort', {
            total: from && money(from.total),
          })}
        </span>
      </div>
    );
  }
  // a price is only ever stale for one of the two
  const trouble = problem ?? routeProblem;
  const old = phase === 'stale';
  const all = addMoney(estimate.total, tip);
  const parts = t(tip === '0.00' ? 'parts' : 'partsTip', {
    amount: money(estimate.amount),
    tax: money(estimate.tax),
    tip: money(tip),
  });
  return (
    <DisclosurePanel
      label={t('details', { total: money(all), parts })}
      tooltip={t('tooltip')}
      buttonClassName={classes['button'] ?? ''}
      buttonProps={{ 'data-testid': 'estimate', 'data-phase': phase }}
      button={
        <>
          <span className={classes['label']}>
            {t(old ? 'stale' : tip === '0.00' ? 'labelWithTaxes' : 'labelWithTip')}
            <IconChevronDown size={14} stroke={2} aria-hidden />
          </span>
          <span className={classes['figures']}>
            <Money value={all} currency={estimate.currency} className={classes['amount'] ?? ''} />
            <span className={classes['tax']}>{parts}</span>
          </span>
        </>
      }
    >
      <p className="pg-small pg-muted">{t(draft.date ? 'tooltip' : 'tooltipOrdinaryDay')}</p>
      {old && trouble ? <ErrorState failure={trouble} title={t('staleLong')} onRetry={retry} /> : null}
      <PriceBreakdown price={estimate} tip={tip} />
    </DisclosurePanel>
  );
}
