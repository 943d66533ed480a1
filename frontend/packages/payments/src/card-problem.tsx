import type { ApiProblem } from '@portage/api';
import { useTranslation } from 'react-i18next';

/** Refusals of a card whose `detail` is what the gateway said, word for word and always in English. */
const quoting = new Set(['payment_declined', 'payment_customer_failed', 'payment_card_failed']);

/** Reasons that whoever holds the card can do something about; `bank` is all else. */
const reasons = [
  'insufficient_funds',
  'limit_exceeded',
  'wrong_number',
  'wrong_expiry',
  'wrong_code',
  'wrong_address',
  'not_allowed',
  'confirmation_needed',
  'bank_unreachable',
  'tried_too_often',
] as const;

/** Whether a problem is about the card that was to be charged, whichever call it came from. */
export function isAboutCard({ status, code }: Pick<ApiProblem, 'status' | 'code'>): boolean {
  return status === 402 || code === 'payment_declined' || code === 'payment_card_failed' || code === 'card_required';
}

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
  if (!declined) return <p>{t('common:error.generic')}</p>;
  if (problem.members['reason'] === 'expired') return <p>{t('card.expired')}</p>;
  const reason = reasons.find((known) => known === problem.members['reason']);
  return <p>{reason ? t(`declined.${reason}`) : t('payment.declined')}</p>;
}
