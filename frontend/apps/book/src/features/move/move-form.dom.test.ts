import { expect, it } from 'vitest';

import { type Draft, emptyDraft } from '../../booking/draft/draft.ts';
import { moveFromDraft, moveSchema, moveToDraft, type MoveValues } from './move-form.ts';

const answer = (before: Partial<Draft>, change: Partial<MoveValues>) => {
  const draft = { ...emptyDraft(), ...before };
  return { ...draft, ...moveToDraft(draft, { ...moveFromDraft(draft), ...change }) };
};

it('takes the kind "just mates" for the flag, and the flag back with the kind', () => {
  const chosen = answer({ rideAlong: true }, { bookingType: 'justMates' });
  expect(chosen).toMatchObject({ bookingType: 'justMates', justMates: true, rideAlong: false });
  expect(answer(chosen, { bookingType: 'storage' })).toMatchObject({ bookingType: 'storage', justMates: false });
  expect(answer(chosen, { justMates: false })).toMatchObject({ bookingType: 'residential', justMates: false });
});

it('leaves the kind as it is when another move comes without our truck', () => {
  const chosen = answer({ bookingType: 'storage', rideAlong: true }, { justMates: true });
  expect(chosen).toMatchObject({ bookingType: 'storage', justMates: true, rideAlong: false });
  expect(answer(chosen, { bookingType: 'commercial' })).toMatchObject({ bookingType: 'commercial', justMates: true });
});

it('counts the helpers from the moment somebody counts the mates', () => {
  expect(answer({}, { clientAsMate: true }).numberOfHelpers).toBe(0);
  expect(answer({}, { mateCount: 3 }).numberOfHelpers).toBe(3);
});

it('names what is missing and what is too many at once', () => {
  const values = { ...moveFromDraft(emptyDraft()), mateCount: 4, clientAsMate: true };
  const checked = moveSchema(4).safeParse(values);
  expect(checked.error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['selectedFurnitures', 'move:items.required'],
    ['mateCount', 'move:crew.tooLarge'],
  ]);
  const item = { id: 'couch-3-seats', quantity: 1 };
  expect(moveSchema(5).safeParse({ ...values, selectedFurnitures: [item] }).success).toBe(true);
});
