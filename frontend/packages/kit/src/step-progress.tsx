import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './step-progress.module.css';

export type StepState = 'current' | 'complete' | 'incomplete';

export interface ProgressStep {
  key: string;
  label: string;
  state: StepState;
  /** What it asks is answered, whatever its state is drawn as. */
  done?: boolean;
  /** The page now on screen. */
  here: boolean;
  /** Why it cannot be opened; shown to screen readers. */
  lockedReason?: string;
}

interface StepProgressProps {
  label: string;
  steps: ProgressStep[];
  /** Wraps the visible part of an openable step in a link; the app owns routing. */
  renderLink: (
    step: ProgressStep,
    content: ReactNode,
    linkProps: { className: string; 'aria-current'?: 'step' },
  ) => ReactNode;
  canOpen: (step: ProgressStep) => boolean;
  /** Controls at the two ends of the line. */
  before?: ReactNode;
  after?: ReactNode;
}

/** The carry line, horizontal: numbered waypoints and a square destination. A list for those who do not see it. */
export function StepProgress({ label, steps, renderLink, canOpen, before, after }: StepProgressProps) {
  const { t } = useTranslation('kit');
  return (
    <nav aria-label={label} className={classes['root']}>
      {before}
      <ol className={classes['list']}>
        {steps.map((step, index) => {
          const last = index === steps.length - 1;
          const content = (
            <>
              <span
                className={classes['dot']}
                data-state={step.state}
                data-here={step.here || undefined}
                data-last={last || undefined}
              >
                {step.state === 'complete' || last ? (
                  <IconCheck size={18} stroke={2.5} aria-hidden />
                ) : (
                  <span aria-hidden>{index + 1}</span>
                )}
              </span>
              <span className={classes['label']}>{step.label}</span>
              <span className={classes['state']}>
                {step.lockedReason ?? t(`step.${step.here ? 'current' : step.done ? 'complete' : 'incomplete'}`)}
              </span>
            </>
          );
          const current = step.here ? ({ 'aria-current': 'step' } as const) : {};
          return (
            <li key={step.key} className={classes['step']} data-done={step.state === 'complete' || undefined}>
              {canOpen(step) ? (
                renderLink(step, content, { className: classes['link'] ?? '', ...current })
              ) : (
                <span className={classes['locked']} {...current}>
                  {content}
                </span>
              )}
            </li>
          );
        })}
      </ol>
      {after}
    </nav>
  );
}
