import { Button } from '@mantine/core';
import { RouteError } from '@portage/frame';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { Header } from './header.tsx';
import classes from './site.module.css';

/** A page that failed, under the header, with the way home. */
export function RouteErrorPage({ error, reset }: { error: unknown; reset: () => void }) {
  const { t } = useTranslation();
  return (
    <RouteError
      error={error}
      reset={reset}
      renderFrame={(content) => (
        <>
          <Header />
          <main id="content" className={classes['single']}>
            {content}
            <p style={{ marginTop: 20 }}>
              <Button variant="default" component={Link} to="/">
                {t('action.backHome')}
              </Button>
            </p>
          </main>
        </>
      )}
    />
  );
}
