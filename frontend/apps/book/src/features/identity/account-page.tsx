import { Glyph } from '@portage/domain';
import { PageHeading } from '@portage/kit';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { inProgress } from '../../booking/draft/draft.ts';
import { useDraft } from '../../booking/draft/draft-store.ts';
import { MoveSummary } from '../../booking/estimate/move-summary.tsx';
import classes from './account-page.module.css';

interface AccountPageProps {
  title: string;
  lead?: ReactNode;
  invalid?: boolean;
  children: ReactNode;
}

/** The frame of the account pages: the form, and beside it the move that is waiting, so that nobody thinks it is lost. */
export function AccountPage({ title, lead, invalid = false, children }: AccountPageProps) {
  const { t } = useTranslation('identity');
  const draft = useDraft();
  const waiting = inProgress(draft);
  return (
    <div className={classes['root']}>
      <div className={classes['form']}>
        <PageHeading title={title} lead={lead} invalid={invalid} />
        {waiting ? <p className={classes['kept']}>{t('draftKept')}</p> : null}
        {children}
      </div>
      <aside className={classes['aside']} aria-label={waiting ? t('waiting') : t('aside')}>
        {waiting ? (
          <MoveSummary />
        ) : (
          <>
            <div className={classes['glyph']}>
              <Glyph name="portage" size={160} />
            </div>
            <p className="pg-muted">{t('promise')}</p>
          </>
        )}
      </aside>
    </div>
  );
}
