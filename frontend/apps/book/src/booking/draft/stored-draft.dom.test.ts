import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { bookingRequest } from './booking-request.ts';
import { emptyDraft } from './draft.ts';
import { emptyEnd } from './ends.ts';
import { revive, stored } from './stored-draft.ts';

const address = (street: string) => ({
  country: 'Canada',
  province: 'QC',
  postalCode: 'H2X 3P9',
  city: 'Montréal',
  street,
  unit: '',
  fullAddress: `${street}, Montréal, QC H2X 3P9, Canada`,
});

/** A draft as the version before stored it, with another value than the empty one in every field. */
const version1 = {
  tookanOrderID: 'order-1',
  resourceId: 'truck-1',
  guidelinesAgreed: true,
  date: '2027-02-17',
  time: '09:00',
  pickup: address('3575 Avenue du Parc'),
  dropoff: address('12 Rue Peel'),
  pickupCoords: { lat: 45.511, lon: -73.573 },
  dropoffCoords: { lat: 45.5, lon: -73.57 },
  pickupAptUnit: '4B',
  pickupHasElevator: 2,
  pickupFloor: 3,
  pickupHasParking: false,
  pickupAccessibility: 'difficult',
  pickupDetails: 'ring twice',
  dropoffAptUnit: '12',
  dropoffHasElevator: 1,
  dropoffFloor: -1,
  dropoffHasParking: false,
  dropoffAccessibility: 'moderate',
  dropoffDetails: 'blue door',
  comments: 'a piano',
  comment: 'a note',
  bookingType: 'storage',
  selectedFurnitures: [{ id: 'couch-3-seats', quantity: 2 }],
  rooms: { home: 'studio', more: { office: 1 } },
  ownItems: 'a harp',
  assembly: false,
  extraServices: ['packing'],
  discountCode: 'WELCOME10',
  mateCount: 3,
  clientAsMate: true,
  justMates: true,
  rideAlong: true,
  numberOfHelpers: 3,
  firstMoverRate: '89.00',
  additionalMoversRate: '45.00',
  status: 'pending',
  pickupArea: { served: true, area: 'greater-montreal', exact: true },
  dropoffArea: { served: false, area: null, exact: false },
  pickupTyped: '99 rue Inc',
  dropoffTyped: '4500 boul',
  pickupByHand: { open: true, street: '99 Rue Inconnue', city: 'Laval', province: 'ON', postalCode: 'K1A 0B1' },
  dropoffByHand: { open: false, street: '1 Rue B', city: 'Brossard', province: 'BC', postalCode: 'V6C 1S4' },
  startsAt: '2027-02-17T14:00:00Z',
  zone: 'America/Toronto',
  hold: { id: 'hold-1', endsAt: 1, offset: 2, startsAt: '2027-02-17T14:00:00Z', minutes: 15, covers: 'x' },
  lostSlot: { date: '2027-02-16', time: '08:00' },
  tipType: 'percent',
  tipValue: '15',
  survey: 'other',
  surveySpecify: 'a neighbour',
  editing: 'b-1',
  editingVersion: 4,
  editedFrom: { request: '{}', tip: { tipType: 'amount', tipValue: '5' }, tipId: 'b-1', tipPaid: false },
  locationsConfirmed: true,
};
const stored1 = JSON.stringify({ version: 1, revision: 7, draft: version1 });

it('keeps the link of a mailed quote, and nothing that is none', () => {
  const secret = 'aB3_-'.repeat(9).slice(0, 43);
  const kept = (savedQuote: string) => revive(stored({ ...emptyDraft(), savedQuote }, 1))?.draft.savedQuote;
  expect(kept(secret)).toBe(secret);
  expect(kept(`${secret}x`)).toBeNull();
  expect(kept(`../${secret.slice(3)}`)).toBeNull();
});

describe('a draft of the version before', () => {
  it('is carried over whole', () => {
    const revived = revive(stored1);
    const { pickup, dropoff, ...others } = version1;
    expect(revived?.revision).toBe(7);
    const draft = revived?.draft;
    expect(draft?.ends).toEqual({
      pickup: {
        place: { address: pickup, coords: others.pickupCoords, area: others.pickupArea },
        typed: '99 rue Inc',
        byHand: others.pickupByHand,
        unit: '4B',
        floor: 3,
        elevator: 2,
        parking: false,
        accessibility: 'difficult',
        details: 'ring twice',
        category: '',
      },
      dropoff: {
        place: { address: dropoff, coords: others.dropoffCoords, area: others.dropoffArea },
        typed: '4500 boul',
        byHand: others.dropoffByHand,
        unit: '12',
        floor: -1,
        elevator: 1,
        parking: false,
        accessibility: 'moderate',
        details: 'blue door',
        category: '',
      },
    });
    // every other field is where it was, and nothing of the sample equals the empty draft
    const kept = Object.entries(others).filter(([key]) => !/^(?:pickup|dropoff)/.test(key));
    expect(draft).toMatchObject(Object.fromEntries(kept));
    // what an edit keeps of its booking, the promised hour, mailed quotes and which rules were agreed to came later
    const later = ['bookedRooms', 'arrivalWindow', 'savedQuote', 'agreedPolicy'];
    const known = Object.keys(emptyDraft()).filter((key) => !later.includes(key));
    for (const key of known as (keyof typeof version1)[])
      expect(draft?.[key as keyof typeof draft], key).not.toEqual(emptyDraft()[key as keyof typeof draft]);
  });

  it('is asked of the server as before', () => {
    const draft = revive(stored1)?.draft ?? emptyDraft();
    const body: Record<string, unknown> = bookingRequest(draft);
    for (const [key, value] of Object.entries(version1).filter(([name]) => /^(?:pickup|dropoff)[A-Z]/.test(name)))
      if (!/Area|Typed|ByHand/.test(key)) expect(body[key], key).toEqual(value);
    expect(body).toMatchObject({
      pickup: { ...version1.pickup, unit: '4B' },
      dropoff: { ...version1.dropoff, unit: '12' },
      holdId: 'hold-1',
    });
  });

  it('may have no address yet', () => {
    const raw = JSON.stringify({ version: 1, revision: 1, draft: { pickup: null, pickupTyped: 'rue P' } });
    expect(revive(raw)?.draft.ends).toEqual({ pickup: { ...emptyEnd(), typed: 'rue P' }, dropoff: emptyEnd() });
  });
});

describe('the store', () => {
  const fresh = async () => (await import('./draft-store.ts')).draftStore;
  beforeEach(() => {
    localStorage.clear();
    vi.resetModules();
  });
  afterEach(() => {
    localStorage.clear();
  });

  it('begins with what the version before kept, and leaves that to a tab that still runs it', async () => {
    localStorage.setItem('portage.draft', stored1);
    const draftStore = await fresh();
    expect(draftStore.get().ends.pickup.unit).toBe('4B');
    draftStore.patch({ comments: 'two pianos' });
    expect(localStorage.getItem('portage.draft')).toBe(stored1);
    vi.resetModules();
    expect((await fresh()).get()).toMatchObject({ comments: 'two pianos', ends: { dropoff: { unit: '12' } } });
  });

  it('forgets that too, so that it does not come back', async () => {
    localStorage.setItem('portage.draft', stored1);
    (await fresh()).reset();
    vi.resetModules();
    expect((await fresh()).get()).toEqual(emptyDraft());
  });

  it('gives back what the version before had put aside', async () => {
    localStorage.setItem('portage.draft', JSON.stringify({ version: 1, revision: 1, draft: { editing: 'b-1' } }));
    localStorage.setItem('portage.draft.aside', stored1);
    const draftStore = await fresh();
    draftStore.endEdit();
    expect(draftStore.get().ends.dropoff.details).toBe('blue door');
    expect(localStorage.getItem('portage.draft.aside')).toBeNull();
  });
});

describe('a damaged draft', () => {
  it('loses what does not fit and keeps the rest', () => {
    const draft = {
      ...emptyDraft(),
      ends: {
        pickup: { ...emptyEnd(), floor: 'third', unit: '4B', accessibility: 'none', place: { address: 'Parc' } },
        dropoff: { ...emptyEnd(), place: { address: { street: '12 Rue A' }, coords: { lat: 'x' }, area: 3 } },
      },
      mateCount: 'many',
      selectedFurnitures: { not: 'a list' },
      gone: true,
      date: '2/17/2027',
      comments: 'ring twice',
    };
    const revived = revive(JSON.stringify({ version: 2, revision: 4, draft }));
    expect(revived?.revision).toBe(4);
    expect(revived?.draft).toEqual({
      ...emptyDraft(),
      comments: 'ring twice',
      ends: {
        pickup: { ...emptyEnd(), unit: '4B' },
        dropoff: {
          ...emptyEnd(),
          place: {
            address: {
              street: '12 Rue A',
              city: '',
              country: '',
              fullAddress: '',
              postalCode: '',
              province: '',
              unit: '',
            },
            coords: null,
            area: null,
          },
        },
      },
    });
  });

  it.each(['', 'null', '{', '[]', '{"draft":null}'])('is none when it is %j', (raw) => expect(revive(raw)).toBeNull());

  it('is the same again when it is whole', () => {
    const draft = revive(stored1)?.draft ?? emptyDraft();
    expect(revive(stored(draft, 3, 'user-1'))).toEqual({ draft, revision: 3, owner: 'user-1' });
  });
});
