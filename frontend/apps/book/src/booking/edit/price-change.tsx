import type { EditPreview } from '@portage/api';
import { centsOf, formatCents, usePolicyValues } from '@portage/domain';
import { formatMoney, useLanguage } from '@portage/i18n';
import { Money, Notice } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import classes from './save-edit.module.css';

interface PriceChangeProps {
  preview: EditPreview;
  /** The discount code of the draft. */
  code: string | null;
}

/** The total before and after with what lies between, the fee in it, and what is charged or given back at once. */
export function PriceChange({ preview, code }: PriceChangeProps) {
  const { t } = useTranslation('edit');
  const language = useLanguage();
  const policy = usePolicyValues(preview.paymentPlan.policy);
  const { oldTotal, newTotal, changeFee, chargeNow, refundNow } = preview;
  const more = centsOf(newTotal) - centsOf(oldTotal);
  const amount = formatMoney(formatCents(Math.abs(more)), language);
  const lostCode = preview.booking.discountCode ? null : code;
  const rows = [
    { name: t('chargeNow'), value: chargeNow },
    { name: t('refundNow'), value: refundNow },
  ].filter(({ value }) => centsOf(value) > 0);
  return (
    <>
      <dl className={classes['totals']}>
        <div>
          <dt>{t('oldTotal')}</dt>
          <dd>
            <Money value={oldTotal} />
          </dd>
        </div>
        <div>
          <dt>{t('newTotal')}</dt>
          <dd>
            <Money value={newTotal} />
          </dd>
        </div>
        <div className={classes['difference']}>
          <dt>{t('difference')}</dt>
          <dd>{more === 0 ? t('same') : t(more > 0 ? 'dearer' : 'cheaper', { amount })}</dd>
        </div>
        {rows.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Money value={value} />
            </dd>
          </div>
        ))}
      </dl>
      {lostCode ? <Notice tone="warning">{t('codeLost', { code: lostCode })}</Notice> : null}
      {centsOf(changeFee) > 0 ? (
        <Notice tone="warning">{t('changeFee', { ...policy, amount: formatMoney(changeFee, language) })}</Notice>
      ) : null}
      {rows.length === 0 ? <p className="pg-small">{t('nothingNow')}</p> : null}
    </>
  );
}
