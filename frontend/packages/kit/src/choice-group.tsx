import { type ReactNode, useId } from 'react';

import classes from './choice-group.module.css';

export interface Choice<T extends string> {
  value: T;
  label: string;
  description?: string;
  glyph?: ReactNode;
  disabled?: boolean;
}

interface ChoiceGroupProps<T extends string> {
  legend: string;
  /** The heading above already says it: keep the legend for screen readers only. */
  legendHidden?: boolean;
  description?: string;
  name: string;
  value: T | null;
  choices: Choice<T>[];
  onChange: (value: T) => void;
  onBlur?: () => void;
  error?: string | undefined;
  /** Id of the first radio, the target of an error summary link. */
  id?: string;
  /** `pair`: two beside each other on a phone, with their labels alone. */
  columns?: 'row' | 'grid' | 'pair' | 'list';
}

/** Real radio buttons drawn as tiles; arrow keys, form semantics and touch targets come with them. */
export function ChoiceGroup<T extends string>({
  legend,
  legendHidden = false,
  description,
  name,
  value,
  choices,
  onChange,
  onBlur,
  error,
  id,
  columns = 'grid',
}: ChoiceGroupProps<T>) {
  const own = useId();
  const descriptionId = `${own}-description`;
  const errorId = `${own}-error`;
  const describedBy =
    [description ? descriptionId : null, error ? errorId : null].filter(Boolean).join(' ') || undefined;
  return (
    <fieldset aria-describedby={describedBy}>
      <legend className={legendHidden ? classes['hidden'] : `pg-label ${classes['legend']}`}>{legend}</legend>
      {description ? (
        <p id={descriptionId} className={`pg-help ${classes['description']}`}>
          {description}
        </p>
      ) : null}
      <div className={classes['choices']} data-columns={columns}>
        {choices.map((choice, index) => (
          <label key={choice.value} className={classes['choice']} data-checked={choice.value === value || undefined}>
            <input
              id={index === 0 ? id : undefined}
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              disabled={choice.disabled}
              onChange={() => onChange(choice.value)}
              onBlur={onBlur}
            />
            {choice.glyph ? <span className={classes['glyph']}>{choice.glyph}</span> : null}
            <span className={classes['text']}>
              <span className={classes['label']}>{choice.label}</span>
              {choice.description ? <span className={`pg-help ${classes['hint']}`}>{choice.description}</span> : null}
            </span>
          </label>
        ))}
      </div>
      {error ? (
        <p id={errorId} className="pg-error">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}
