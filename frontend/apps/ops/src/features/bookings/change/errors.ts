import type { ApiProblem } from '@portage/api';

import { aboutField, partOf } from '../parts/refusals.ts';
import type { ChangeKey } from './form.ts';

/** A field of the page: one of the move, or what only staff decide. */
export type ChangeField = ChangeKey | 'amount';
export type ChangeErrors = Partial<Record<ChangeField, string>>;

/** Id of the element that a field is changed with. */
export const fieldId = (field: ChangeField) => `change-${field}`;

const fields: Record<string, ChangeField> = {
  bookingType: 'kind',
  moveKind: 'kind',
  extraServices: 'services',
  comment: 'comments',
};
/** Parts of an end that have a field of their own. */
const ofEnd: Record<string, 'AptUnit' | 'Details'> = { unit: 'AptUnit', details: 'Details' };
const known = new Set<string>([
  'date',
  'time',
  'mateCount',
  'pickup',
  'pickupAptUnit',
  'pickupFloor',
  'pickupHasElevator',
  'pickupAccessibility',
  'pickupCategory',
  'pickupDetails',
  'dropoff',
  'dropoffAptUnit',
  'dropoffFloor',
  'dropoffHasElevator',
  'dropoffAccessibility',
  'dropoffCategory',
  'dropoffDetails',
  'items',
  'kind',
  'services',
  'comments',
  'discountCode',
  'amount',
] satisfies ChangeField[]);

function fieldOf(path: string): ChangeField | null {
  const [first, second] = partOf(path);
  const part = ofEnd[second];
  if ((first === 'pickup' || first === 'dropoff') && part) return `${first}${part}`;
  const name = fields[first] ?? first;
  return known.has(name) ? (name as ChangeField) : null;
}

/** A refusal of the server, at the fields that it is about; empty when it is about none. */
export function errorsOf(problem: ApiProblem | null): ChangeErrors {
  const errors: ChangeErrors = {};
  if (!problem) return errors;
  for (const { field, message } of problem.fieldErrors) {
    const name = fieldOf(field);
    if (name) errors[name] ??= message || problem.detail;
  }
  const one = aboutField[problem.code];
  if (one) errors[one as ChangeField] ??= problem.detail;
  return errors;
}
