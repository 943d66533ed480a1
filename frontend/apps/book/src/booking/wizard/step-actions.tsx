import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { pageBefore, type WizardPath } from '../draft/steps.ts';
import { HeaderEstimate } from '../estimate/header-estimate.tsx';
import { useArrow } from './arrow.ts';
import classes from './step-actions.module.css';
import { useNarrow } from './use-narrow.ts';

interface StepActionsProps {
  path: WizardPath;
  /** What the button does, for the stepper's arrow. */
  goOn?: () => void;
  children: ReactNode;
}

/** The end of every wizard page: the way back, and the one button with a verb. On a phone the button stands in a bar at the lower edge, beside the price. */
export function StepActions({ path, goOn, children }: StepActionsProps) {
  useArrow(goOn);
  const { t } = useTranslation('shell');
  const narrow = useNarrow();
  return (
    <div className={classes['root']}>
      <Link to={pageBefore(path)} className={classes['back']}>
        {t('back')}
      </Link>
      <div className={classes['bar']} data-step-bar>
        {narrow ? <HeaderEstimate /> : null}
        {children}
      </div>
    </div>
  );
}
