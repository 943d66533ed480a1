import { Button } from '@mantine/core';
import { PageHeading } from '@portage/kit';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { PlainPage } from './plain-page.tsx';

export function NotFoundPage() {
  const { t } = useTranslation();
  return (
    <PlainPage>
      <PageHeading title={t('page.notFound')} lead={t('page.notFoundHelp')} />
      <Button component={Link} to="/">
        {t('action.backHome')}
      </Button>
    </PlainPage>
  );
}
