import type { ApiProblem } from '@portage/api';

/** An end of the move that the server does not take as it is, with its sentence about it. */
export interface AddressRefusal {
  end: 'pickup' | 'dropoff';
  text: string;
}

const place = /(?:^|\.)(pickup|dropoff)(?:Address|Coords)?(?:\.|$)/;

/** Reads a refusal of an address out of a 422: point, postal code and text contradict each other, or are not complete. */
export function addressRefusal(problem: ApiProblem | null): AddressRefusal | null {
  if (problem?.status !== 422) return null;
  for (const { field, message } of problem.fieldErrors) {
    const end = place.exec(field)?.[1];
    const text = message || problem.detail;
    if ((end === 'pickup' || end === 'dropoff') && text !== '') return { end, text };
  }
  return null;
}
