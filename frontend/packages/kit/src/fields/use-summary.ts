import type { FieldErrors, FieldValues } from 'react-hook-form';

import type { SummaryItem } from '../error-summary.tsx';
import { fieldId, useFieldMessage } from './field-text.ts';

function flatten(errors: Record<string, unknown>, prefix = ''): { name: string; message: string }[] {
  return Object.entries(errors).flatMap(([key, value]) => {
    if (typeof value !== 'object' || value === null || key === 'ref') return [];
    const name = prefix ? `${prefix}.${key}` : key;
    const message = (value as { message?: unknown }).message;
    if (typeof message === 'string' && message) return [{ name, message }];
    return flatten(value as Record<string, unknown>, name);
  });
}

/** The items of the error summary for a React Hook Form; `labels` gives each field its name. Errors under `root` have no field. */
export function useSummary<T extends FieldValues>(
  errors: FieldErrors<T>,
  labels: Record<string, string>,
): SummaryItem[] {
  const message = useFieldMessage();
  return flatten(errors as Record<string, unknown>).map(({ name, message: text }) => {
    const label = labels[name] ?? '';
    const translated = message(text, label) ?? text;
    return name.startsWith('root') ? { text: translated } : { fieldId: fieldId(name), text: translated };
  });
}
