import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { pageBefore, type WizardPath } from '../draft/steps.ts';
import { useArrow } from './arrow.ts';
import classes from './step-actions.module.css';

interface StepActionsProps {
  path: WizardPath;
  /** What the button does, for the stepper's arrow. */
  goOn?: () => void;
  children: ReactNode;
}

/** The end of every wizard page: the way back, and the one button with a verb. */
export function StepActions({ path, goOn, children }: StepActionsProps) {
  useArrow(goOn);
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
