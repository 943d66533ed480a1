import { furniture, presets, rooms as roomInventories } from '@portage/mock-api';
import { expect, it } from 'vitest';

import { noRooms, roomsOf, typicalItems, untouched, withTypical } from './rooms.ts';

const catalogue = { data: furniture, presets, rooms: roomInventories };
const home = { home: 'one-bedroom', more: { office: 2 } };
const countOf = (items: { id: string; quantity: number }[], id: string) =>
  items.find((item) => item.id === id)?.quantity ?? 0;

it('adds the rooms to the inventory of the home', () => {
  const typical = typicalItems(home, catalogue);
  expect(countOf(typical, 'couch-3-seats')).toBe(1);
  expect(countOf(typical, 'desk-small')).toBe(2);
  expect(countOf(typical, 'box-medium-3-1')).toBe(18 + 2 * 3);
  expect(typicalItems(noRooms(), catalogue)).toEqual([]);
});

it('adds what is missing, and never takes what was chosen', () => {
  const own = [
    { id: 'dining-chair', quantity: 9 },
    { id: 'box-medium-3-1', quantity: 2 },
    { id: 'piano-upright', quantity: 1 },
  ];
  const merged = withTypical(own, typicalItems({ home: 'one-bedroom', more: {} }, catalogue));
  expect([
    countOf(merged, 'dining-chair'),
    countOf(merged, 'box-medium-3-1'),
    countOf(merged, 'piano-upright'),
  ]).toEqual([9, 18, 1]);
  expect(countOf(merged, 'couch-3-seats')).toBe(1);
});

it('knows a list that nobody has touched', () => {
  expect(untouched([], noRooms(), catalogue)).toBe(true);
  expect(untouched(typicalItems(home, catalogue), home, catalogue)).toBe(true);
  expect(untouched(typicalItems(home, catalogue), noRooms(), catalogue)).toBe(false);
  expect(untouched([{ id: 'couch-3-seats', quantity: 1 }], home, catalogue)).toBe(false);
});

it('reads the home from a list that came as an inventory, and takes nonsense for no rooms', () => {
  expect(roomsOf(noRooms(), presets[0]?.items ?? [], catalogue).home).toBe('studio');
  const damaged = { home: null, more: { office: 'x', bedroom: -3 } } as unknown as ReturnType<typeof noRooms>;
  expect(typicalItems(damaged, catalogue)).toEqual([]);
});
