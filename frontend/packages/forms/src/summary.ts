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

/** In the order in which the fields stand on the page, which a language may turn round; what has no field there stays. */
function asOnPage(items: SummaryItem[]): SummaryItem[] {
  const fieldOf = new Map(items.map((item) => [item, item.fieldId ? document.getElementById(item.fieldId) : null]));
  const inOrder = items
    .filter((item) => fieldOf.get(item))
    .sort((a, b) => {
      const [one, other] = [fieldOf.get(a), fieldOf.get(b)];
      return one && other && one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
    });
  return items.map((item) => (fieldOf.get(item) ? (inOrder.shift() ?? item) : item));
}

/** The lines of the error summary for the problems of a form, each with the way to its field. */
export function useSummary(problems: FieldProblem[], labels: Record<string, string>): SummaryItem[] {
  const say = useFieldMessage();
  return asOnPage(
    problems.map(({ field, message }) => ({
      fieldId: fieldId(field),
      text: say(message, labels[field] ?? '') ?? message,
    })),
  );
}
