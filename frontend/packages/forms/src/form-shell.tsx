import { Button } from '@mantine/core';
import type { ApiProblem } from '@portage/api';
import { ErrorState, ErrorSummary, Notice } from '@portage/kit';
import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

import type { Shell } from './use-form-shell.ts';

interface FormShellProps<V extends FieldValues> {
  shell: Shell<V>;
  children: ReactNode;
  /** The verb on the button. */
  submitLabel: string;
  /** Said when it was taken and nothing was changed since. */
  takenText?: string;
  /** Another way to say a refusal that belongs to no field; nothing leaves it to the usual one. */
  renderRefusal?: (problem: ApiProblem) => ReactNode;
  /** Beside the button. */
  actions?: ReactNode;
  size?: 'md' | 'lg';
  variant?: 'filled' | 'default';
  className?: string;
}

/** The frame of a form: summary of errors, refusal, success, fields, the one button. */
export function FormShell<V extends FieldValues>({
  shell,
  children,
  submitLabel,
  takenText,
  renderRefusal,
  actions,
  size = 'lg',
  variant = 'filled',
  className,
}: FormShellProps<V>) {
  const { t } = useTranslation();
  const { attempt, summary, problem, taken, submit } = shell;
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className={className}>
      {attempt > 0 && summary.length > 0 ? <ErrorSummary items={summary} attempt={attempt} /> : null}
      {taken && takenText ? (
        <Notice tone="success" live>
          {takenText}
        </Notice>
      ) : null}
      {problem ? (renderRefusal?.(problem) ?? <ErrorState failure={problem} title={t('page.saveFailed')} />) : null}
      {children}
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: 12 }}>
        <Button type="submit" size={size} variant={variant} loading={shell.form.formState.isSubmitting}>
          {submitLabel}
        </Button>
        {actions}
      </div>
    </form>
  );
}
