import type { ApiProblem } from '@portage/api';
import { useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

/** Refusals of a card whose `detail` is what the gateway said, word for word and always in English. */
const quoting = new Set(['payment_declined', 'payment_customer_failed', 'payment_card_failed']);

interface CardProblemProps {
  problem: ApiProblem;
  /** Whether the detail of a declined card is the gateway's own sentence. */
  bankWords: boolean;
}

/**
 * Why a card was not taken, in our words. On an English page what the gateway said comes after, as a quotation, for who
 * wants to ask at the bank; on another page nobody is made to read English.
 */
export function CardProblem({ problem, bankWords }: CardProblemProps) {
  const { t } = useTranslation(['payments', 'common']);
  const language = useLanguage();
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
  return (
    <>
      <p>{declined ? t('payment.declined') : t('common:error.generic')}</p>
      {bankWords && problem.detail && language === 'en' ? (
        <p className="pg-small pg-muted">{t('card.said', { words: problem.detail })}</p>
      ) : null}
    </>
  );
}
