import { ActionIcon } from '@mantine/core';
import { type ProgressStep, StepProgress } from '@portage/kit';
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { useDraft } from '../draft/draft-store.ts';
import {
  canOpenPage,
  finalOpen,
  isLastStep,
  pageAfter,
  pageBefore,
  stepDone,
  stepIds,
  stepPaths,
  stepState,
} from '../draft/steps.ts';
import { goOnByArrow } from './arrow.ts';
import classes from './wizard-stepper.module.css';

const arrow = { variant: 'subtle', color: 'gray', size: 44, className: classes['arrow'] ?? '' } as const;

/** The three numbered circles and the final check, with back and next at the ends. */
export function WizardStepper({ path }: { path: string }) {
  const { t } = useTranslation('wizard');
  const draft = useDraft();
  const labels = { 1: t('step.locations'), 2: t('step.moveType'), 3: t('step.schedule') } as const;

  const steps: ProgressStep[] = stepIds.map((id) => ({
    key: stepPaths[id],
    label: labels[id],
    state: stepState(draft, id),
    done: stepDone(draft, id),
    here: path === stepPaths[id],
  }));
  const open = finalOpen(draft);
  steps.push({
    key: '/quote',
    // a booking that is edited ends with the quote, where the change is saved
    label: t(draft.editing === null ? 'step.booking' : 'step.quote'),
    state: open ? 'current' : 'incomplete',
    here: isLastStep(path),
    ...(open ? {} : { lockedReason: t('stepper.finishLocked') }),
  });
  const next = pageAfter(path);
  const nextOpen = next !== undefined && canOpenPage(draft, next);

  return (
    <StepProgress
      label={t('stepper.label')}
      steps={steps}
      canOpen={(step) => canOpenPage(draft, step.key)}
      before={
        <ActionIcon component={Link} to={pageBefore(path)} {...arrow} aria-label={t('stepper.back')}>
          <IconArrowLeft size={20} stroke={1.75} aria-hidden />
        </ActionIcon>
      }
      after={
        nextOpen ? (
          <ActionIcon
            component={Link}
            to={next}
            // the page's own check decides, as when Continue is pressed; with a key held down it is a link like any other
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
              if (goOnByArrow()) event.preventDefault();
            }}
            {...arrow}
            aria-label={t('stepper.next')}
          >
            <IconArrowRight size={20} stroke={1.75} aria-hidden />
          </ActionIcon>
        ) : (
          <ActionIcon {...arrow} aria-label={t('stepper.next')} disabled>
            <IconArrowRight size={20} stroke={1.75} aria-hidden />
          </ActionIcon>
        )
      }
      renderLink={(step, content, props) => (
        <Link to={step.key} {...props} {...(step.key === '/quote' ? { title: t('stepper.finish') } : {})}>
          {content}
        </Link>
      )}
    />
  );
}
