import { someBooking } from '@portage/mock-api';
import { describe, expect, it } from 'vitest';

import { bookingRequest } from '../draft/booking-request.ts';
import { type Draft, emptyDraft } from '../draft/draft.ts';
import { draftOfBooking } from './begin-edit.ts';
import { isMoveChanged } from './changes.ts';

const counts = { bedrooms: 0, bathrooms: 0, rooms: 0, stairs: 0, elevator: 0 };
const edited = (rooms: Partial<typeof counts>): Draft => ({
  ...emptyDraft(),
  ...draftOfBooking(someBooking({ rooms: { ...counts, ...rooms } })),
});

describe('the rooms of a booking that is edited', () => {
  it.each([
    [0, null, {}],
    [2, 'two-bedroom', {}],
    [3, 'three-bedroom', {}],
    [5, 'three-bedroom', { bedroom: 2 }],
  ])('%i bedrooms are shown as %s and %o', (bedrooms, home, more) => {
    expect(edited({ bedrooms }).rooms).toEqual({ home, more });
  });

  it('are sent as they are, with what this page does not ask for', () => {
    const draft = edited({ bedrooms: 5, bathrooms: 2, rooms: 1, stairs: 1, elevator: 1 });
    expect(bookingRequest(draft).rooms).toEqual({ bedrooms: 5, bathrooms: 2, rooms: 1, stairs: 1, elevator: 1 });
    expect(isMoveChanged(draft)).toBe(false);
  });

  it('are changed where somebody says others', () => {
    const draft = {
      ...edited({ bedrooms: 2, bathrooms: 1, rooms: 1 }),
      rooms: { home: 'one-bedroom', more: { office: 2 } },
    };
    expect(bookingRequest(draft).rooms).toEqual({ bedrooms: 1, bathrooms: 1, rooms: 2, stairs: 0, elevator: 0 });
    expect(isMoveChanged(draft)).toBe(true);
  });
});
