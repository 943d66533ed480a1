import { fieldId, type SummaryItem, useFieldMessage } from '@portage/kit';
import type { FieldErrors, FieldValues } from 'react-hook-form';

/** One problem of a form: the path of its field, and its text or the key of it. */
export interface FieldProblem {
  field: string;
  message: string;
}

/** All problems of a form in the order of its fields, whatever their depth. */
export function problemsOf<V extends FieldValues>(errors: FieldErrors<V>, above = ''): FieldProblem[] {
  return Object.entries(errors as Record<string, unknown>).flatMap(([key, value]) => {
    if (typeof value !== 'object' || value === null || key === 'ref') return [];
    const field = above ? `${above}.${key}` : key;
    const { message } = value as { message?: unknown };
    if (typeof message === 'string' && message) return [{ field, message }];
    return problemsOf(value as FieldErrors, field);
  });
}

/** The lines of the error summary for the problems of a form, each with the way to its field. */
export function useSummary(problems: FieldProblem[], labels: Record<string, string>): SummaryItem[] {
  const say = useFieldMessage();
  return problems.map(({ field, message }) => ({
    fieldId: fieldId(field),
    text: say(message, labels[field] ?? '') ?? message,
  }));
}
