import { Button } from '@mantine/core';
import { Glyph } from '@portage/domain';
import { EmptyState, PageHeading } from '@portage/kit';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { Header } from './header.tsx';
import classes from './site.module.css';

export function NotFoundPage() {
  const { t } = useTranslation();
  return (
    <>
      <Header />
      <main id="content" className={classes['single']}>
        <PageHeading title={t('page.notFound')} />
        <EmptyState
          title={t('page.notFoundHelp')}
          glyph={<Glyph name="portage" size={120} />}
          action={
            <Button component={Link} to="/">
              {t('action.backHome')}
            </Button>
          }
        />
      </main>
    </>
  );
}
