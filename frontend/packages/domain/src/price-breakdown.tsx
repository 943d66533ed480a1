import type { PriceLine, TaxComponent } from '@portage/api';
import { formatKilometres, formatMoney, formatNumber, useLanguage } from '@portage/i18n';
import { Money } from '@portage/kit';
import { type ReactNode, useId, useState } from 'react';
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
  /** The day's name where it makes hours dearer. */
  dateLabel?: string | null;
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
  'packing',
  'unpacking',
  'disposal',
  'storage',
  'tvMounting',
] as const;
const taxNames = ['gst', 'qst', 'hst', 'pst'] as const;

/** Whether the day makes this line dearer. */
function dear({ dateFactor }: PriceLine, label: string | null | undefined): boolean {
  return Boolean(label) && dateFactor !== undefined && dateFactor !== null && Number(dateFactor) !== 1;
}

interface LineProps {
  type: string;
  name: string;
  detail: string;
  explanation: string | null;
  children: ReactNode;
}

/** A line that says on a tap how its amount comes about, where the server has told. */
function Line({ type, name, detail, explanation, children }: LineProps) {
  const id = useId();
  const [opened, setOpened] = useState(false);
  const more = detail ? <span className={classes['detail']}>{detail}</span> : null;
  if (explanation === null)
    return (
      <div className={classes['line']} data-type={type}>
        <dt>
          {name}
          {more}
        </dt>
        <dd>{children}</dd>
      </div>
    );
  return (
    <div className={classes['line']} data-type={type} data-explained>
      <dt>
        <button
          type="button"
          className={classes['why']}
          aria-expanded={opened}
          aria-controls={id}
          onClick={() => setOpened((now) => !now)}
        >
          <span className={classes['name']}>{name}</span>
          {more}
        </button>
      </dt>
      <dd>{children}</dd>
      <dd id={id} className={classes['explanation']} hidden={!opened}>
        {explanation}
      </dd>
    </div>
  );
}

interface PriceBreakdownProps {
  price: Priced;
  tip?: string | null;
  /**
   * For a reader in another language than the booking's, in which the server's sentences are: lines are told in figures
   * instead, and the crew by how many it is.
   */
  figures?: { mates: number } | undefined;
}

/** Quantity × price × factor where that is the amount; nothing where more went into it. */
function product({ quantity, unitPrice, multiplier, amount }: PriceLine): boolean {
  const cents = Number(quantity) * Number(unitPrice) * Number(multiplier) * 100;
  return Math.abs(cents - Number(amount) * 100) < 1;
}

/**
 * The price line by line, as the server computed it. Every tax is its own line with its amount and never its rate:
 * the combined Quebec rate must not be printed.
 */
export function PriceBreakdown({ price, tip = null, figures }: PriceBreakdownProps) {
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
    if (line.code === 'labour')
      return figures
        ? t('price.crewHours', {
            mates: t('count.mates', { count: figures.mates }),
            duration: duration(Math.round(Number(line.quantity) * 60)),
          })
        : line.description;
    if (line.unit === 'hour') return duration(Math.round(Number(line.quantity) * 60));
    if (line.unit === 'km') return formatKilometres(line.quantity, language);
    return '';
  };
  const factor = (line: PriceLine) => `× ${formatNumber(Number(line.multiplier), language)}`;
  const day = (line: PriceLine) => (dear(line, price.dateLabel) ? (figures ? factor(line) : price.dateLabel) : null);
  const sum = (line: PriceLine) => {
    const money = (amount: string) => formatMoney(amount, language, price.currency);
    if ((line.unit !== 'hour' && line.unit !== 'km') || !product(line)) return null;
    const what =
      line.unit === 'hour'
        ? duration(Math.round(Number(line.quantity) * 60))
        : formatKilometres(line.quantity, language);
    const parts = [what, `× ${money(line.unitPrice)}`, Number(line.multiplier) === 1 ? null : factor(line)];
    return `${parts.filter(Boolean).join(' ')} = ${money(line.amount)}`;
  };
  const withTip = tip !== null && tip !== '0.00';
  return (
    <dl className={classes['root']}>
      {price.lines.map((line) => (
        <Line
          key={`${line.type}-${line.code}`}
          type={line.type}
          name={lineName(line)}
          detail={[detail(line), day(line)].filter(Boolean).join(' · ')}
          explanation={figures ? sum(line) : (line.explanation ?? null)}
        >
          <Money value={line.amount} currency={price.currency} />
        </Line>
      ))}
      <div className={classes['subtotal']}>
        <dt>{t('price.amount')}</dt>
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
      <div className={classes[withTip ? 'subtotal' : 'total']}>
        <dt>{t('price.totalWithTaxes')}</dt>
        <dd>
          <Money value={price.total} currency={price.currency} />
        </dd>
      </div>
      {withTip ? (
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
