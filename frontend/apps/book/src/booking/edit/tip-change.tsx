import type { PolicyFigures } from '@portage/api';
import { centsOf, formatCents, tipCents, usePolicyValues } from '@portage/domain';
import { formatMoney, formatNumber, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

import { type Draft, type EditedFrom } from '../draft/draft.ts';
import { useDraft } from '../draft/draft-store.ts';
import { isTipChanged } from './changes.ts';
import classes from './save-edit.module.css';

/**
 * The tip before and after, or as it stays: a share of the price follows the price. `amount` is the price before tax that
 * it is taken of.
 */
export function TipChange({ amount, policy }: { amount: string; policy: PolicyFigures }) {
  const { t } = useTranslation(['edit', 'domain']);
  const language = useLanguage();
  const draft = useDraft();
  const values = usePolicyValues(policy);
  const from = draft.editedFrom;
  if (from === null) return null;
  const text = (
    { tipType, tipValue }: Pick<Draft, 'tipType' | 'tipValue'> | EditedFrom['tip'],
    cents: number | null,
  ) => {
    if (!cents) return t('domain:tip.none');
    const money = formatMoney(formatCents(cents), language);
    if (tipType === 'amount') return money;
    const share = formatNumber(Number(tipValue.replace(',', '.')) / 100, language, {
      style: 'percent',
      maximumFractionDigits: 2,
    });
    return t('tipShare', { share, money });
  };
  const comesTo = ({ tipType, tipValue }: Pick<Draft, 'tipType' | 'tipValue'>) => tipCents(tipType, tipValue, amount);
  const had = from.tipAmount === undefined ? comesTo(from.tip) : centsOf(from.tipAmount);
  const old = text(from.tip, had);
  // a tip that was charged is what was charged
  const now = from.tipPaid
    ? old
    : isTipChanged(draft)
      ? text(draft, comesTo(draft))
      : text(from.tip, comesTo(from.tip));
  const rows =
    now === old
      ? [[t('domain:line.tip'), old]]
      : [
          [t('oldTip'), old],
          [t('newTip'), now],
        ];
  return (
    <>
      <dl className={classes['totals']}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {now === t('domain:tip.none') || from.tipPaid || policy.tipDelay === 0 ? null : (
        <p className="pg-small pg-muted">{t('tipWhen', values)}</p>
      )}
    </>
  );
}
