import type { Control, FieldPath, FieldValues } from 'react-hook-form';

/** What ties a field to its form: the form, the field's name there, and the words people read. */
export interface Bound<T extends FieldValues> {
  control: Control<T>;
  name: FieldPath<T>;
  label: string;
}
