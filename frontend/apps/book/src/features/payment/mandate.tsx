import type { PaymentPlan, PolicyTerm } from '@portage/api';
import { PolicyTimeline, useChangesRule, usePolicyValues, useTermText } from '@portage/domain';
import { formatMoney, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

import classes from './payment.module.css';

interface MandateProps {
  plan: PaymentPlan;
  moveAt: string;
  /** The time promised at the pickup, `HH:MM`. */
  promised: string | null;
  tip: string;
}

/** Terms of a charge that comes with the booking. */
const now = new Set<PolicyTerm>(['fullAtOnce', 'depositAtBooking', 'depositOnlyAtBooking']);

/** What the card may be charged for, with dates and amounts: the text the person agrees to by booking. */
export function Mandate({ plan, moveAt, promised, tip }: MandateProps) {
  const { t } = useTranslation('payment');
  const language = useLanguage();
  const termText = useTermText();
  const changes = useChangesRule()({ terms: plan.terms, figures: plan.policy });
  const values = usePolicyValues(plan.policy);
  const atOnce = plan.terms.find((term) => now.has(term));
  const tipText = plan.policy.tipDelay === 0 ? 'mandate.tipAtOnce' : 'mandate.tip';
  return (
    <div className={classes['mandate']}>
      <p>{atOnce ? termText(atOnce, plan.policy) : t('mandate.nothingNow')}</p>
      <PolicyTimeline plan={plan} moveAt={moveAt} promised={promised} />
      {tip === '0.00' ? null : (
        <p className="pg-small pg-muted">{t(tipText, { ...values, amount: formatMoney(tip, language) })}</p>
      )}
      {changes ? <p className="pg-small pg-muted">{changes}</p> : null}
    </div>
  );
}
