import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { pageBefore, type WizardPath } from '../draft/steps.ts';
import classes from './step-actions.module.css';

/** The end of every wizard page: the way back, and the one button with a verb. */
export function StepActions({ path, children }: { path: WizardPath; children: ReactNode }) {
  const { t } = useTranslation('shell');
  return (
    <div className={classes['root']}>
      <Link to={pageBefore(path)} className={classes['back']}>
        {t('back')}
      </Link>
      {children}
    </div>
  );
}
