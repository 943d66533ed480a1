import { PageHeading } from '@portage/kit';
import { createLazyRoute, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { leftOutOf, ofEveryList } from '../../shell/left-out.ts';
import { LeftOutNotice } from '../../shell/left-out-notice.tsx';
import { Disputes } from './failed/disputes.tsx';
import { FailedCharges } from './failed/failed-charges.tsx';

/** The second table of the page has names of its own. */
const ofDisputes = ofEveryList.map((name) => `disputes.${name}`);

/** Money that did not come, or that somebody wants back by way of the bank. */
function FailedPage() {
  const { t } = useTranslation(['failed', 'shell']);
  const search = useSearch({ from: '/desk/failed-charges' });
  return (
    <>
      <PageHeading title={t('shell:area.failedCharges')} lead={t('lead')} />
      <LeftOutNotice of={leftOutOf(search, undefined, ofDisputes)} />
      <FailedCharges />
      <Disputes />
    </>
  );
}

export const Route = createLazyRoute('/desk/failed-charges')({ component: FailedPage });
