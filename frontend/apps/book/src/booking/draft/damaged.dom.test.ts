import { accessibilities, extraServices, moveKinds } from '@portage/api';
import { isComplete } from '@portage/address';
import { describe, expect, it } from 'vitest';

import { bookingBody } from '../checkout/booking-body.ts';
import { estimatePayload } from '../estimate/payload.ts';
import { type Draft, emptyDraft, itemCount, mostMates } from './draft.ts';
import { emptyEnd, floorRange } from './ends.ts';
import { revive, stored } from './stored-draft.ts';

const address = {
  country: 'Canada',
  province: 'QC',
  postalCode: 'H2X 3P9',
  city: 'Montréal',
  street: '12 Rue A',
  unit: '',
  fullAddress: '12 Rue A',
};
const end = {
  ...emptyEnd(),
  place: { address, coords: { lat: 45, lon: -73 }, area: { served: true, area: null, exact: true } },
};
/** A draft with something in every field. */
const full: Draft = {
  ...emptyDraft(),
  ends: { pickup: { ...end, typed: 'rue P' }, dropoff: end },
  date: '2027-02-17',
  time: '09:00',
  selectedFurnitures: [{ id: 'couch-3-seats', quantity: 1, assembly: false }],
  rooms: { home: 'studio', more: { office: 1 } },
  bookedRooms: { bedrooms: 1, bathrooms: 1, rooms: 0, stairs: 0, elevator: 0 },
  extraServices: ['packing'],
  discountCode: 'WELCOME10',
  startsAt: '2027-02-17T14:00:00Z',
  zone: 'America/Toronto',
  arrivalWindow: { from: '09:00', until: '09:30' },
  hold: { id: 'h', endsAt: 1, offset: 0, startsAt: '2027-02-17T14:00:00Z', minutes: 15, covers: 'x' },
  lostSlot: { date: '2027-02-16', time: '08:00', reason: 'closed' },
  survey: 'other',
  editing: 'b-1',
  editingVersion: 3,
  editedFrom: {
    request: '{}',
    tip: { tipType: 'amount', tipValue: '5' },
    tipId: 't',
    tipAmount: '5.00',
    tipPaid: false,
  },
};

const revived = (draft: object): Draft => {
  const found = revive(stored(draft as Draft, 1));
  if (!found) throw new Error('nothing was revived');
  return found.draft;
};

it('takes a whole draft as it is', () => expect(revived(full)).toEqual(full));

describe('what does not fit costs itself alone', () => {
  it.each<[string, object, Partial<Draft>]>([
    ['a piece that is nothing', { selectedFurnitures: [null, 'x', ...full.selectedFurnitures] }, {}],
    ['a piece without a number', { selectedFurnitures: [{ id: 'bed', quantity: 'abc' }] }, { selectedFurnitures: [] }],
    ['a piece twice', { selectedFurnitures: [...full.selectedFurnitures, { id: 'couch-3-seats', quantity: 4 }] }, {}],
    ['a crew too large', { mateCount: 1e9 }, { mateCount: 2 }],
    ['a crew of less than nobody', { mateCount: -1 }, { mateCount: 2 }],
    ['half a mate', { mateCount: 2.5 }, { mateCount: 2 }],
    ['an hour that no day has', { arrivalWindow: { from: '99:99', until: '00:00' } }, { arrivalWindow: null }],
    ['a time that no day has', { time: '24:00' }, { time: null }],
    ['a day that no month has', { date: '2027-02-31' }, { date: null }],
    ['a code that is no text', { discountCode: {} }, { discountCode: null }],
    ['a lost start of no time', { lostSlot: { date: '2026-12-14', time: {}, reason: {} } }, { lostSlot: null }],
    ['a kind of move that is none', { bookingType: '__proto__' }, { bookingType: 'residential' }],
    ['a service that is none', { extraServices: [null, 'packing', 'bogus'] }, {}],
    ['a zone on Mars', { zone: 'Mars/Olympus' }, { zone: null }],
    ['a hold without an end', { hold: { ...full.hold, endsAt: 8.7e15 } }, { hold: null }],
    ['an edit of nothing', { editing: {} }, { editing: null }],
    [
      'rooms that are none',
      { rooms: { home: 5, more: { office: 1, bedroom: 'x' } } },
      { rooms: { home: null, more: { office: 1 } } },
    ],
  ])('%s', (_, damage, left) => expect(revived({ ...full, ...damage })).toEqual({ ...full, ...left }));

  it('a province named like something that every object has', () => {
    const damaged = { ...end, place: { ...end.place, address: { ...address, province: '__proto__' } } };
    const draft = revived({ ...full, ends: { pickup: damaged, dropoff: end } });
    expect(isComplete(draft.ends.pickup.place?.address ?? address)).toBe(false);
    expect(() => bookingBody(draft, '1.00')).not.toThrow();
  });

  it('a home named like something that every object has', () =>
    expect(
      bookingBody(revived({ ...full, rooms: { home: '__proto__', more: {} } }), '1.00').bookingRequest.rooms,
    ).toBeUndefined());
});

/** The same numbers on every run. */
function dice(seed: number) {
  let state = seed;
  return (sides: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const odd: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  2.5,
  1e9,
  1e300,
  -8.7e15,
  '',
  'x',
  'abc',
  '__proto__',
  'constructor',
  '99:99',
  '2027-02-31',
  '2027-02-17',
  '09:00',
  '5',
  '\uD800',
  ' ',
  'x'.repeat(20_000),
  'packing',
  'storage',
  'QC',
  'amount',
];
const keys = [
  'id',
  'quantity',
  'home',
  'more',
  '__proto__',
  'date',
  'time',
  'tip',
  'place',
  'address',
  'lat',
  'length',
];

function anything(roll: (sides: number) => number, depth: number): unknown {
  const kind = depth > 0 ? roll(4) : 0;
  if (kind < 2) return odd[roll(odd.length)];
  const size = roll(4);
  if (kind === 2) return Array.from({ length: size }, () => anything(roll, depth - 1));
  const pairs = Array.from({ length: size }, () => [keys[roll(keys.length)], anything(roll, depth - 1)]);
  return Object.fromEntries(pairs as [string, unknown][]);
}

/** The same value with one of its parts, however deep, replaced by anything. */
function damage(value: unknown, roll: (sides: number) => number): unknown {
  if (typeof value !== 'object' || value === null || roll(5) === 0) return anything(roll, 3);
  const names = Object.keys(value);
  if (names.length === 0) return anything(roll, 3);
  const name = names[roll(names.length)] ?? '';
  const part = damage((value as Record<string, unknown>)[name], roll);
  return Array.isArray(value)
    ? value.map((one, index) => (String(index) === name ? part : one))
    : { ...value, [name]: part };
}

function expectValid(draft: Draft): void {
  const sample = emptyDraft();
  expect(Object.keys(draft).sort()).toEqual(Object.keys(sample).sort());
  for (const [key, value] of Object.entries(sample))
    if (value !== null) expect(typeof draft[key as keyof Draft], key).toBe(typeof value);
  for (const one of Object.values(draft.ends)) {
    expect(Object.keys(one).sort()).toEqual(Object.keys(emptyEnd()).sort());
    expect(one.floor).toBeGreaterThanOrEqual(floorRange.min);
    expect(one.floor).toBeLessThanOrEqual(floorRange.max);
    expect(accessibilities).toContain(one.accessibility);
    for (const said of Object.values(one.place?.address ?? {})) expect(typeof said).toBe('string');
    if (one.place?.coords) expect(Math.abs(one.place.coords.lat)).toBeLessThanOrEqual(90);
  }
  for (const { id, quantity } of draft.selectedFurnitures) {
    expect(typeof id).toBe('string');
    expect(Number.isInteger(quantity) && quantity >= 0).toBe(true);
  }
  for (const service of draft.extraServices) expect(extraServices).toContain(service);
  for (const count of Object.values(draft.rooms.more)) expect(Number.isInteger(count)).toBe(true);
  expect(moveKinds).toContain(draft.bookingType);
  expect(draft.mateCount).toBeGreaterThanOrEqual(1);
  expect(draft.mateCount).toBeLessThanOrEqual(mostMates);
  for (const at of [draft.time, draft.lostSlot?.time, draft.arrivalWindow?.from])
    expect(at ?? '09:00').toMatch(/^[0-2]\d:[0-5]\d$/);
  for (const at of [draft.date, draft.lostSlot?.date, draft.startsAt])
    expect(Date.parse(at ?? '2027-01-01')).not.toBeNaN();
  for (const said of [draft.discountCode, draft.editing, draft.zone]) expect(typeof (said ?? '')).toBe('string');
  // what the pages and the server are given of it
  expect(itemCount(draft)).not.toBeNaN();
  expect(() => JSON.stringify(bookingBody(draft, '1.00'))).not.toThrow();
  expect(() => estimatePayload(draft, { minutes: 1, km: '1.0' })).not.toThrow();
  expect(new Date(draft.hold?.endsAt ?? 0).getTime()).not.toBeNaN();
  // revived again it is the same
  expect(revived(draft)).toEqual(draft);
}

describe('whatever JSON is kept', () => {
  it.each(Object.keys(full) as (keyof Draft)[])('%s damaged gives a valid draft', (field) => {
    expect.hasAssertions();
    const roll = dice(field.length * 7919 + (field.codePointAt(0) ?? 0));
    for (let turn = 0; turn < 60; turn += 1) expectValid(revived({ ...full, [field]: damage(full[field], roll) }));
    for (let turn = 0; turn < 30; turn += 1) expectValid(revived({ ...full, [field]: anything(roll, 4) }));
  });

  it('never throws', () => {
    const roll = dice(11);
    for (let turn = 0; turn < 500; turn += 1)
      expect(() =>
        revive(JSON.stringify(damage({ version: 2, revision: 1, owner: 'a', draft: full }, roll))),
      ).not.toThrow();
  });
});
