import { asProblem, type DeskBooking, type DeskPreview } from '@portage/api';
import { centsOf, formatCents } from '@portage/domain';
import { formatItems, useLanguage } from '@portage/i18n';
import { Money } from '@portage/kit';
import { Failed, Skeleton } from '@portage/kit/desk/states';
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { Charges } from '../parts/charges.tsx';
import { ClockOf } from '../parts/clock-of.tsx';
import classes from '../parts/form.module.css';
import { useMoney } from '../parts/use-money.ts';

interface PreviewProps {
  /** Nothing differs from what is saved. */
  same: boolean;
  /** Something was typed that the figures do not know yet. */
  settling: boolean;
  /** The code that the form has; empty where it has none. */
  code: string;
  /** The booking was deleted: the form says so. */
  gone: boolean;
  preview: UseQueryResult<DeskPreview>;
  /** The booking as it is saved. */
  before: DeskBooking;
}

/** What is said only where there is some: the fee of this change, for one, is not that of an earlier one in the total. */
const onlySome = new Set(['fee', 'chargeNow', 'refundNow']);

const feesOf = ({ lines }: Pick<DeskBooking, 'lines'>) =>
  lines.reduce((sum, { code, amount }) => (code === 'change_fee' ? sum + centsOf(amount) : sum), 0);

/** The fee of this change before its tax; null where the lines of the price do not tell it. */
function feeBeforeTax(before: DeskBooking, { booking, changeFee }: DeskPreview): string | null {
  const fee = feesOf(booking) - feesOf(before);
  return fee > 0 && fee < centsOf(changeFee) ? formatCents(fee) : null;
}

/** What the change would do with price, fee and payments, as the server works it out. */
export function Preview({ same, settling, code, gone, preview, before }: PreviewProps) {
  const { t } = useTranslation(['change', 'domain', 'record']);
  const language = useLanguage();
  const money = useMoney();
  const { data } = preview;
  const untaxed = data ? feeBeforeTax(before, data) : null;
  // one in percent follows the price
  const [tipWas, tip] = [before.tips, data?.booking.tips];
  const rows = data
    ? ([
        ['old', data.oldTotal],
        ['new', data.newTotal],
        ['fee', data.changeFee],
        ['difference', data.difference],
        ['chargeNow', data.chargeNow],
        ['refundNow', data.refundNow],
      ] as const)
    : [];
  return (
    <aside className={classes['preview']} aria-label={t('preview.title')} aria-live="polite" aria-busy={settling}>
      <h2 className={classes['legend']}>{t('preview.title')}</h2>
      {same ? (
        <p className="pg-muted">{t('preview.none')}</p>
      ) : gone ? (
        <p className="pg-muted">{t('gone.preview')}</p>
      ) : preview.isError ? (
        <Failed title={t('preview.failed')} failure={asProblem(preview.error)} onRetry={() => void preview.refetch()} />
      ) : !data ? (
        <Skeleton label={t('preview.title')} rows={4} />
      ) : (
        <div data-settling={settling || undefined} className={classes['figures']}>
          <dl>
            {rows.map(([key, value]) =>
              onlySome.has(key) && centsOf(value) === 0 ? null : (
                <div key={key} className={classes['row']} data-key={key}>
                  <dt>
                    {t(`preview.${key}`)}
                    {key === 'fee' && untaxed !== null ? (
                      <span className="pg-muted"> {t('preview.feeBefore', { amount: money(untaxed) })}</span>
                    ) : null}
                  </dt>
                  <dd>
                    <Money value={value} />
                  </dd>
                </div>
              ),
            )}
            {tipWas && tip && tipWas !== tip ? (
              <div className={classes['row']} data-key="tip">
                <dt>{t('domain:line.tip')}</dt>
                <dd>{t('record:line.fromTo', { from: money(tipWas), to: money(tip) })}</dd>
              </div>
            ) : null}
          </dl>
          {code !== '' && !data.booking.discountCode ? <p>{t('preview.codeLost', { code })}</p> : null}
          {data.crewReleased && data.crewReleased.length > 0 ? (
            <p>
              {t(data.booking.status === 'pending' ? 'preview.crewLost' : 'preview.crewLess', {
                who: formatItems(data.crewReleased, language),
              })}
            </p>
          ) : null}
          <h3 className={classes['legend']}>{t('preview.plan')}</h3>
          <Charges plan={data.paymentPlan} />
          {data.paymentPlan.charges.length > 0 ? <ClockOf zone={data.paymentPlan.zone} /> : null}
        </div>
      )}
    </aside>
  );
}
