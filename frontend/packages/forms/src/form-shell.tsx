import type { ApiProblem } from '@portage/api';
import { ErrorState, Notice, useLeadTo } from '@portage/kit';
import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

import classes from './form-shell.module.css';
import { FormProblems } from './form-problems.tsx';
import { SubmitButton } from './submit-button.tsx';
import type { Shell } from './use-form-shell.ts';

interface FormShellProps<V extends FieldValues> {
  shell: Shell<V>;
  children?: ReactNode;
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
  /** The button is as wide as the fields. */
  wide?: boolean;
  className?: string | undefined;
}

/** The frame of a form: summary of errors, success, fields, refusal, the one button. */
export function FormShell<V extends FieldValues>({
  shell,
  children,
  submitLabel,
  takenText,
  renderRefusal,
  actions,
  size = 'lg',
  variant = 'filled',
  wide = false,
  className,
}: FormShellProps<V>) {
  const { t } = useTranslation();
  const { summary, problem, taken } = shell;
  // the button is locked while it sends, and loses the focus with that
  const refusal = useLeadTo<HTMLDivElement>(problem);
  const button = (
    <SubmitButton shell={shell} size={size} variant={variant}>
      {submitLabel}
    </SubmitButton>
  );
  return (
    <form onSubmit={(event) => void shell.submit(event)} noValidate className={`${classes['form']} ${className ?? ''}`}>
      {summary.length > 0 ? (
        <div className={classes['problems']}>
          <FormProblems shell={shell} />
        </div>
      ) : null}
      {taken && takenText ? (
        <Notice tone="success" live led>
          {takenText}
        </Notice>
      ) : null}
      {children}
      {/* where the person has just pressed */}
      {problem ? (
        <div ref={refusal} tabIndex={-1} className={classes['refusal']}>
          {renderRefusal?.(problem) ?? <ErrorState failure={problem} title={t('page.saveFailed')} />}
        </div>
      ) : null}
      {wide ? (
        button
      ) : (
        <div className={classes['actions']}>
          {button}
          {actions}
        </div>
      )}
    </form>
  );
}
