import type { PriceLine, TaxComponent } from '@portage/api';
import { formatDistance, formatNumber, useLanguage } from '@portage/i18n';
import { Money } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import { useDurationText } from './duration.ts';
import { addMoney } from './money-math.ts';
import classes from './price-breakdown.module.css';

/** The parts of an estimate or of a booking that this list needs. */
export interface Priced {
  amount: string;
  tax: string;
  total: string;
  currency: string;
  discountCode?: string | null;
  lines: PriceLine[];
  taxComponents: TaxComponent[];
}

const lineCodes = [
  'labour',
  'travel_fee',
  'return_labour',
  'truck_fee',
  'km_fee',
  'ride_along',
  'change_fee',
  'overtime',
] as const;
const taxNames = ['gst', 'qst', 'hst', 'pst'] as const;

/**
 * The price line by line, as the server computed it. Every tax is its own line with its amount and never its rate:
 * the combined Quebec rate must not be printed.
 */
export function PriceBreakdown({ price, tip = null }: { price: Priced; tip?: string | null }) {
  const { t } = useTranslation('domain');
  const language = useLanguage();
  const duration = useDurationText();
  const lineName = (line: PriceLine) => {
    if (line.type === 'discount') return t('line.discount');
    const code = lineCodes.find((known) => known === line.code);
    return code ? t(`lineCode.${code}`) : t(`line.${line.type}`);
  };
  const taxName = (name: string) => {
    const known = taxNames.find((tax) => tax === name);
    return known ? t(`tax.${known}`) : name.toUpperCase();
  };
  // what the amount counts: the crew's sentence is the server's, everything else is written here in the reader's language
  const detail = (line: PriceLine) => {
    if (line.type === 'discount') return t('price.code', { code: price.discountCode ?? line.code });
    if (line.code === 'labour') return line.description;
    if (line.unit === 'hour') return duration(Math.round(Number(line.quantity) * 60));
    if (line.unit === 'km') return formatDistance(line.quantity, language);
    return '';
  };
  const factor = (value: string) => formatNumber(value, language, { minimumFractionDigits: 2 });
  const surcharge = price.lines.find((line) => line.multiplier && Number(line.multiplier) !== 1);
  return (
    <dl className={classes['root']}>
      {price.lines.map((line) => (
        <div key={`${line.type}-${line.code}`} className={classes['line']} data-type={line.type}>
          <dt>
            {lineName(line)}
            {detail(line) ? <span className={classes['detail']}>{detail(line)}</span> : null}
          </dt>
          <dd>
            <Money value={line.amount} currency={price.currency} />
          </dd>
        </div>
      ))}
      <div className={classes['subtotal']}>
        <dt>
          {t('price.amount')}
          {surcharge?.multiplier ? (
            <span className={classes['detail']}>
              {t('price.multiplier', { multiplier: factor(surcharge.multiplier) })}
            </span>
          ) : null}
        </dt>
        <dd>
          <Money value={price.amount} currency={price.currency} />
        </dd>
      </div>
      {price.taxComponents.map((tax) => (
        <div key={tax.name} className={classes['line']}>
          <dt>{taxName(tax.name)}</dt>
          <dd>
            <Money value={tax.amount} currency={price.currency} />
          </dd>
        </div>
      ))}
      <div className={classes['total']}>
        <dt>{t('price.total')}</dt>
        <dd>
          <Money value={price.total} currency={price.currency} />
        </dd>
      </div>
      {tip && tip !== '0.00' ? (
        <>
          <div className={classes['line']}>
            <dt>{t('line.tip')}</dt>
            <dd>
              <Money value={tip} currency={price.currency} />
            </dd>
          </div>
          <div className={classes['total']}>
            <dt>{t('price.totalWithTip')}</dt>
            <dd>
              <Money value={addMoney(price.total, tip)} currency={price.currency} />
            </dd>
          </div>
        </>
      ) : null}
    </dl>
  );
}
