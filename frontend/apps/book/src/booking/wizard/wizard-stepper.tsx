import { ActionIcon } from '@mantine/core';
import { type ProgressStep, StepProgress } from '@portage/kit';
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { useDraft } from '../draft/draft-store.ts';
import { allDone, canOpen, finalOpen, type StepId, stepPaths, stepState } from '../draft/steps.ts';
import classes from './wizard-stepper.module.css';

const order = ['/', '/locations', '/move-type', '/schedule', '/quote', '/guidelines', '/payment'];

/** The three numbered circles and the final check, with back and next at the ends. */
export function WizardStepper({ path }: { path: string }) {
  const { t } = useTranslation('wizard');
  const draft = useDraft();
  const labels = { 1: t('step.locations'), 2: t('step.moveType'), 3: t('step.schedule') } as const;

  const steps: ProgressStep[] = ([1, 2, 3] as StepId[]).map((id) => ({
    key: stepPaths[id],
    label: labels[id],
    state: stepState(draft, id),
    here: path === stepPaths[id],
  }));
  const open = finalOpen(draft);
  steps.push({
    key: '/quote',
    label: t('step.quote'),
    state: path === '/guidelines' || path === '/payment' ? 'complete' : open ? 'current' : 'incomplete',
    here: path === '/quote',
    ...(open ? {} : { lockedReason: t('stepper.finishLocked') }),
  });
  const opens = (key: string): boolean => {
    const id = ([1, 2, 3] as StepId[]).find((step) => stepPaths[step] === key);
    if (id) return canOpen(draft, id);
    const booking = allDone(draft) && draft.editing === null;
    if (key === '/payment') return booking && draft.guidelinesAgreed;
    return key === '/guidelines' ? booking : open;
  };

  const index = order.indexOf(path);
  const previous = order[index - 1] ?? '/';
  const next = order[index + 1];
  const nextOpen = next !== undefined && opens(next);

  return (
    <StepProgress
      label={t('stepper.label')}
      steps={steps}
      canOpen={(step) => opens(step.key)}
      before={
        <ActionIcon
          component={Link}
          to={previous}
          variant="subtle"
          color="gray"
          size={44}
          className={classes['arrow'] ?? ''}
          aria-label={t('stepper.back')}
        >
          <IconArrowLeft size={20} stroke={1.75} aria-hidden />
        </ActionIcon>
      }
      after={
        nextOpen ? (
          <ActionIcon
            component={Link}
            to={next}
            variant="subtle"
            color="gray"
            size={44}
            className={classes['arrow'] ?? ''}
            aria-label={t('stepper.next')}
          >
            <IconArrowRight size={20} stroke={1.75} aria-hidden />
          </ActionIcon>
        ) : (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={44}
            className={classes['arrow'] ?? ''}
            aria-label={t('stepper.next')}
            disabled
          >
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
