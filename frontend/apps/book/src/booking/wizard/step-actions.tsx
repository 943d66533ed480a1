import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './step-actions.module.css';

/** The end of every wizard page: the way back, and the one button with a verb. */
export function StepActions({ back, children }: { back: string; children: ReactNode }) {
  const { t } = useTranslation('shell');
  return (
    <div className={classes['root']}>
      <Link to={back} className={classes['back']}>
        {t('back')}
      </Link>
      {children}
    </div>
  );
}
