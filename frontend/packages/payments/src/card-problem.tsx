import type { ApiProblem } from '@portage/api';
import { useTranslation } from 'react-i18next';

/** Refusals of a card whose `detail` is what the gateway said, word for word and always in English. */
const quoting = new Set(['payment_declined', 'payment_customer_failed', 'payment_card_failed']);

/** Why a card was not taken, in our words only: what the gateway said is for the staff, who see it with the booking. */
export function CardProblem({ problem }: { problem: ApiProblem }) {
  const { t } = useTranslation(['payments', 'common']);
  if (problem.status === 0) return <p>{t('common:error.network')}</p>;
  if (problem.code === 'payment_unavailable') return <p>{t('gateway.noAnswer')}</p>;
  if (problem.status >= 500) return <p>{t('common:page.serverError')}</p>;
  const declined = problem.status === 402 || problem.code === 'payment_declined';
  if (!declined && !quoting.has(problem.code))
    return (
      <>
        <p>{problem.detail || t('common:error.generic')}</p>
        {problem.retryAfter === null ? null : (
          <p>{t('error.retryAfter', { count: Math.ceil(problem.retryAfter / 60) })}</p>
        )}
      </>
    );
  return <p>{declined ? t('payment.declined') : t('common:error.generic')}</p>;
}
