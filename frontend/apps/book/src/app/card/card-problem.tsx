import type { ApiProblem } from '@portage/api';
import { useTranslation } from 'react-i18next';

interface CardProblemProps {
  problem: ApiProblem;
  /** Whether the detail of a declined card is the bank's own sentence, which is English whatever the page's language. */
  bankWords: boolean;
}

/** Why a card was not taken, in our words; what the bank said comes after, for who wants to ask there. */
export function CardProblem({ problem, bankWords }: CardProblemProps) {
  const { t } = useTranslation(['payment', 'common']);
  if (problem.status === 0) return <p>{t('common:error.network')}</p>;
  if (problem.code === 'payment_unavailable') return <p>{t('payment:gateway.noAnswer')}</p>;
  if (problem.status >= 500) return <p>{t('common:page.serverError')}</p>;
  const declined = problem.status === 402 || problem.code === 'payment_declined';
  if (!declined)
    return (
      <>
        <p>{problem.detail || t('common:error.generic')}</p>
        {problem.retryAfter === null ? null : (
          <p>{t('common:error.retryAfter', { count: Math.ceil(problem.retryAfter / 60) })}</p>
        )}
      </>
    );
  return (
    <>
      <p>{t('payment:payment.declined')}</p>
      {bankWords && problem.detail ? (
        <p className="pg-small pg-muted" lang="en">
          {problem.detail}
        </p>
      ) : null}
    </>
  );
}
