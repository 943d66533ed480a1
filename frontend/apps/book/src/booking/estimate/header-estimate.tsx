import { addMoney, PriceBreakdown } from '@portage/domain';
import { announce, DisclosurePanel, ErrorState, Money } from '@portage/kit';
import { formatMoney, useLanguage } from '@portage/i18n';
import { IconChevronDown } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { useDraft } from '../draft/draft-store.ts';
import { useEstimate } from './estimate-context.tsx';
import classes from './header-estimate.module.css';
import { useTipInSum } from './tip.ts';

/** The total, below it what it is made of, a tooltip that says it is an estimate, and the breakdown on demand. */
export function HeaderEstimate() {
  const { t } = useTranslation('estimate');
  const language = useLanguage();
  const draft = useDraft();
  const { phase, estimate, problem, routeProblem, retry } = useEstimate();
  const tip = useTipInSum();

  // said once the price has settled, not on every step on the way
  const said = useRef<string | null>(null);
  useEffect(() => {
    if (phase !== 'fresh' || !estimate) return;
    const text = estimate.total;
    if (said.current !== null && said.current !== text) {
      announce(t('announce', { total: formatMoney(addMoney(text, tip), language, estimate.currency) }));
    }
    said.current = text;
  }, [phase, estimate, tip, t, language]);

  if (!estimate) {
    return (
      <div className={classes['empty']} data-testid="estimate" data-phase={phase}>
        <span className={classes['label']}>{t('label')}</span>
        <span className={classes['none']}>
          {phase === 'failed' ? t('failed') : phase === 'loading' ? t('updating') : t('emptyShort')}
        </span>
      </div>
    );
  }
  const old = phase === 'stale';
  const all = addMoney(estimate.total, tip);
  // the specification's header, amount with tip and then the tax, is what the sum is made of
  const parts = t('parts', {
    amount: formatMoney(addMoney(estimate.amount, tip), language, estimate.currency),
    tax: formatMoney(estimate.tax, language, estimate.currency),
  });
  return (
    <DisclosurePanel
      label={t('details', { total: formatMoney(all, language, estimate.currency), parts })}
      tooltip={t('tooltip')}
      buttonClassName={classes['button'] ?? ''}
      buttonProps={{ 'data-testid': 'estimate', 'data-phase': phase }}
      button={
        <>
          <span className={classes['label']}>
            {old ? t('stale') : tip === '0.00' ? t('labelWithTaxes') : t('labelWithTip')}
            <IconChevronDown size={14} stroke={2} aria-hidden />
          </span>
          <span className={classes['figures']}>
            <Money value={all} currency={estimate.currency} className={classes['amount'] ?? ''} />
            <span className={classes['tax']}>{parts}</span>
          </span>
        </>
      }
    >
      <p className="pg-small pg-muted">{draft.date ? t('tooltip') : t('tooltipOrdinaryDay')}</p>
      {old ? (
        <ErrorState
          failure={problem ?? routeProblem ?? { status: 0, detail: '', requestId: null }}
          title={t('staleLong')}
          onRetry={retry}
        />
      ) : null}
      <PriceBreakdown price={estimate} tip={tip} />
    </DisclosurePanel>
  );
}
