import { Button } from '@mantine/core';
import { Glyph } from '@portage/domain/glyphs';
import { EmptyState, PageHeading } from '@portage/kit';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { SupportLinks } from '../../shell/chat/support-links.tsx';

/** Page for a failure of the server when nothing else can be shown. */
export function ServerErrorPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeading title={t('page.serverError')} />
      <EmptyState
        title={t('page.persists')}
        glyph={<Glyph name="tools" size={120} />}
        action={
          <Button component={Link} to="/">
            {t('action.backHome')}
          </Button>
        }
      >
        <SupportLinks />
      </EmptyState>
    </>
  );
}
