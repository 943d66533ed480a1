import type { PaymentPlan } from '@portage/api';
import { PolicyTimeline } from '@portage/domain';
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

/** What the card may be charged for, with dates and amounts: the text the person agrees to by booking. */
export function Mandate({ plan, moveAt, promised, tip }: MandateProps) {
  const { t } = useTranslation(['payment', 'domain']);
  const language = useLanguage();
  return (
    <div className={classes['mandate']}>
      <p>{plan.mode === 'full_at_once' ? t('domain:rule.fullAtOnce') : t('mandate.nothingNow')}</p>
      <PolicyTimeline plan={plan} moveAt={moveAt} promised={promised} />
      {tip === '0.00' ? null : (
        <p className="pg-small pg-muted">{t('mandate.tip', { amount: formatMoney(tip, language) })}</p>
      )}
      <p className="pg-small pg-muted">{t('domain:rule.changes')}</p>
    </div>
  );
}
