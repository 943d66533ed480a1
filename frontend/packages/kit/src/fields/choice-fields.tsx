import { Checkbox } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { type FieldValues, useController } from 'react-hook-form';

import { type Choice, ChoiceGroup } from '../choice-group.tsx';
import { QuantityStepper } from '../quantity-stepper.tsx';
import type { Bound } from './bound.ts';
import classes from './choice-fields.module.css';
import { fieldId, useFieldMessage } from './field-text.ts';

// Fields whose value is pressed and not typed. They share a file, because a chunk for each costs a slow phone more.

export function CheckboxField<T extends FieldValues>({
  control,
  name,
  label,
  rich,
  description,
  disabled = false,
}: Bound<T> & { rich?: ReactNode; description?: string; disabled?: boolean }) {
  const message = useFieldMessage();
  const { field, fieldState } = useController({ control, name });
  return (
    <Checkbox
      id={fieldId(name)}
      ref={field.ref}
      name={field.name}
      label={rich ?? label}
      description={description}
      checked={Boolean(field.value)}
      disabled={disabled}
      onChange={(event) => field.onChange(event.currentTarget.checked)}
      onBlur={field.onBlur}
      error={message(fieldState.error?.message, label)}
    />
  );
}

export function ChoiceField<T extends FieldValues, V extends string>({
  control,
  name,
  label,
  choices,
  description,
  columns,
}: Bound<T> & { choices: Choice<V>[]; description?: string; columns?: 'row' | 'grid' | 'pair' | 'list' }) {
  const message = useFieldMessage();
  const { field, fieldState } = useController({ control, name });
  return (
    <ChoiceGroup
      legend={label}
      name={field.name}
      id={fieldId(name)}
      value={(field.value as V | null | undefined) ?? null}
      choices={choices}
      onChange={field.onChange}
      onBlur={field.onBlur}
      error={message(fieldState.error?.message, label)}
      {...(description ? { description } : {})}
      {...(columns ? { columns } : {})}
    />
  );
}

export function QuantityField<T extends FieldValues>({
  control,
  name,
  label,
  min,
  max,
  help,
}: Bound<T> & { min: number; max: number; help?: string }) {
  const message = useFieldMessage();
  const own = useId();
  const { field, fieldState } = useController({ control, name });
  const error = message(fieldState.error?.message, label);
  const describedBy = [help ? `${own}-help` : null, error ? `${own}-error` : null].filter(Boolean).join(' ');
  return (
    <div>
      <div className={classes['row']}>
        <div className="pg-label" aria-hidden>
          {label}
        </div>
        <QuantityStepper
          id={fieldId(name)}
          label={label}
          value={Number(field.value ?? 0)}
          min={min}
          max={max}
          onChange={field.onChange}
          invalid={Boolean(error)}
          {...(describedBy ? { describedBy } : {})}
        />
        {help ? (
          <p id={`${own}-help`} className={`pg-help ${classes['help']}`}>
            {help}
          </p>
        ) : null}
      </div>
      {error ? (
        <p id={`${own}-error`} className="pg-error">
          {error}
        </p>
      ) : null}
    </div>
  );
}
