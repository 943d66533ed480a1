import { PageHeading } from '@portage/kit';
import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { Disputes } from './failed/disputes.tsx';
import { FailedCharges } from './failed/failed-charges.tsx';

/** Money that did not come, or that somebody wants back by way of the bank. */
function FailedPage() {
  const { t } = useTranslation(['failed', 'shell']);
  return (
    <>
      <PageHeading title={t('shell:area.failedCharges')} lead={t('lead')} />
      <FailedCharges />
      <Disputes />
    </>
  );
}

export const Route = createLazyRoute('/desk/failed-charges')({ component: FailedPage });
