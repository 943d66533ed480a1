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

/** In the place of a record that could not be fetched: a heading, the way back, and why. No second try finds what is not there. */
export function FailedPage({ area, to, failed, failure, onRetry }: FailedPageProps) {
  const { t } = useTranslation('shell');
  return (
    <>
      <PageHeading title={area} />
      <Link to={to}>{t('backTo', { area })}</Link>
      <Failed title={failed} failure={failure} {...(failure.status === 404 ? {} : { onRetry })} />
    </>
  );
}
