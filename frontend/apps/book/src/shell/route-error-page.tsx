import { Button } from '@mantine/core';
import { ApiProblem } from '@portage/api';
import { isPartMissing, RouteError } from '@portage/frame';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { Header } from './header.tsx';
import classes from './site.module.css';
import { StartAgain } from './start-again.tsx';

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
            <p style={{ marginTop: 20, display: 'flex', flexWrap: 'wrap', gap: 12 }}>
              <Button variant="default" component={Link} to="/">
                {t('action.backHome')}
              </Button>
              {/* an exception of our own: what is kept may be what the page cannot draw */}
              {error instanceof ApiProblem || isPartMissing() ? null : <StartAgain />}
            </p>
          </main>
        </>
      )}
    />
  );
}
