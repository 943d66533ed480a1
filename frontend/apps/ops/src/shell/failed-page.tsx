import type { ApiProblem } from '@portage/api';
import { PageHeading } from '@portage/kit';
import { Failed } from '@portage/kit/desk/states';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

interface FailedPageProps {
  /** The list that the record belongs to. */
  area: string;
  to: '/templates' | '/invoices' | '/quote-requests';
  /** What could not be fetched, as a sentence. */
  failed: string;
  failure: ApiProblem;
  onRetry: () => void;
}

/** In the place of a record that could not be fetched: a heading that says so, the way back, and why. */
export function FailedPage({ area, to, failed, failure, onRetry }: FailedPageProps) {
  const { t } = useTranslation('shell');
  const isGone = failure.status === 404;
  return (
    <>
      <PageHeading title={isGone ? t('gone.title') : failed} {...(isGone ? { lead: t('gone.text') } : {})} />
      <Link to={to}>{t('backTo', { area })}</Link>
      {isGone ? null : <Failed failure={failure} onRetry={onRetry} />}
    </>
  );
}
