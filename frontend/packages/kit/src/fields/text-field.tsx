import {
  NativeSelect,
  type NativeSelectProps,
  Textarea,
  type TextareaProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { type FieldValues, useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

import type { Bound } from './bound.ts';
import { fieldId, useFieldMessage } from './field-text.ts';

interface BoundText<T extends FieldValues> extends Bound<T> {
  /** Says "(optional)" after the label; everything else is required. */
  optional?: boolean;
  /** For a form that may be on the page twice; else it is made of the name. */
  id?: string;
}

function useBound<T extends FieldValues>({ control, name, label, optional, id }: Required<BoundText<T>>) {
  const { t } = useTranslation();
  const message = useFieldMessage();
  const { field, fieldState } = useController({ control, name });
  return {
    id,
    label: optional ? t('form.optional', { label }) : label,
    error: message(fieldState.error?.message, label),
    field,
  };
}

export function TextField<T extends FieldValues>({
  control,
  name,
  label,
  optional = false,
  id = fieldId(name),
  ...props
}: BoundText<T> & Omit<TextInputProps, 'name' | 'label' | 'id'>) {
  const bound = useBound({ control, name, label, optional, id });
  return (
    <TextInput
      {...props}
      {...bound.field}
      value={bound.field.value ?? ''}
      id={bound.id}
      label={bound.label}
      error={bound.error}
    />
  );
}

export function TextAreaField<T extends FieldValues>({
  control,
  name,
  label,
  optional = false,
  id = fieldId(name),
  ...props
}: BoundText<T> & Omit<TextareaProps, 'name' | 'label' | 'id'>) {
  const bound = useBound({ control, name, label, optional, id });
  return (
    <Textarea
      {...props}
      {...bound.field}
      value={bound.field.value ?? ''}
      id={bound.id}
      label={bound.label}
      error={bound.error}
    />
  );
}

export function SelectField<T extends FieldValues>({
  control,
  name,
  label,
  optional = false,
  id = fieldId(name),
  ...props
}: BoundText<T> & Omit<NativeSelectProps, 'name' | 'label' | 'id'>) {
  const bound = useBound({ control, name, label, optional, id });
  return (
    <NativeSelect
      {...props}
      {...bound.field}
      value={bound.field.value ?? ''}
      id={bound.id}
      label={bound.label}
      error={bound.error}
    />
  );
}
