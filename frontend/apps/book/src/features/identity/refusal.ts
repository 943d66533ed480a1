import { asProblem } from '@portage/api';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';

import { problemText } from './identity-api.ts';

/** Puts the server's refusal where it belongs: beside the fields it names, else above the form. */
export function showRefusal<T extends FieldValues>(
  form: UseFormReturn<T>,
  error: unknown,
  fields: readonly FieldPath<T>[],
): void {
  const problem = asProblem(error);
  const named = problem.fieldErrors.filter((one) => (fields as readonly string[]).includes(one.field));
  for (const one of named) form.setError(one.field as FieldPath<T>, { type: 'server', message: one.message });
  if (named.length === 0) form.setError('root', { type: 'server', message: problemText(error) });
}
