import type { BookingDraftBody } from '@portage/api';

import type { Draft } from '../draft/draft.ts';
import { changeRequest } from './changes.ts';

/** What a change says of each answer: the names of the API that belong to it. */
const answers = {
  when: ['date', 'time'],
  pickup: ['pickup', 'pickupAptUnit'],
  pickupAccess: [
    'pickupFloor',
    'pickupHasElevator',
    'pickupHasParking',
    'pickupAccessibility',
    'pickupDetails',
    'pickupCategory',
  ],
  dropoff: ['dropoff', 'dropoffAptUnit'],
  dropoffAccess: [
    'dropoffFloor',
    'dropoffHasElevator',
    'dropoffHasParking',
    'dropoffAccessibility',
    'dropoffDetails',
    'dropoffCategory',
  ],
  kind: ['bookingType'],
  crew: ['mateCount', 'clientAsMate', 'justMates', 'rideAlong'],
  items: ['selectedFurnitures'],
  rooms: ['rooms'],
  assembly: ['assembly'],
  services: ['extraServices'],
  discount: ['discountCode'],
  comments: ['comments'],
} as const satisfies Record<string, (keyof BookingDraftBody)[]>;

export type ChangedAnswer = keyof typeof answers;

export interface AnswersChanged {
  before: BookingDraftBody;
  after: BookingDraftBody;
  /** In the order of the pages. */
  changed: ChangedAnswer[];
}

/** What was said when the change began, what is said now, and which answers are other ones; null when nobody knows. */
export function answersChanged(draft: Draft): AnswersChanged | null {
  if (draft.editedFrom === null) return null;
  let before: BookingDraftBody;
  try {
    before = JSON.parse(draft.editedFrom.request) as BookingDraftBody;
  } catch {
    return null;
  }
  const after = JSON.parse(changeRequest(draft)) as BookingDraftBody;
  const differs = (name: keyof BookingDraftBody) => JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  return {
    before,
    after,
    changed: (Object.keys(answers) as ChangedAnswer[]).filter((answer) => answers[answer].some(differs)),
  };
}
