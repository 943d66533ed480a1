import { LinkButton } from '@portage/frame';
import { PageHeading } from '@portage/kit';
import { createLazyRoute, useMatches } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { useMenu } from './use-menu.ts';

/** Page of an area that is still to be built; it says so. */
function PlannedPage() {
  const { t } = useTranslation('shell');
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath });
  const area = useMenu().find((entry) => entry.to === path)?.label ?? '';
  return (
    <>
      <PageHeading title={t('planned.title', { area })} lead={t('planned.text')} />
      <LinkButton to="/bookings">{t('planned.back')}</LinkButton>
    </>
  );
}

export const Route = createLazyRoute('/desk/sms')({ component: PlannedPage });
