import { mockEstimate } from '@portage/mock-api';
import { describe, expect, it } from 'vitest';

import { emptyDraft } from '../draft/draft.ts';
import { emptyEnd } from '../draft/ends.ts';
import { estimatePhase } from './estimate-context.tsx';
import { draftFigures } from './figures.ts';
import { estimatePayload, kilometres, travelMinutes } from './payload.ts';

const address = {
  country: 'Canada',
  province: 'QC',
  postalCode: 'H2X 3P9',
  city: 'Montréal',
  street: '3575 Avenue du Parc',
  unit: '',
  fullAddress: '3575 Avenue du Parc, Montréal, QC H2X 3P9, Canada',
};

describe('estimatePhase', () => {
  const base = { wanted: 'b', quoteFor: 'a', hasQuote: true, fetching: false, failed: false };
  it.each([
    ['not enough is known', { ...base, wanted: null, hasQuote: false }, 'empty'],
    ['the first price is on its way', { ...base, hasQuote: false }, 'loading'],
    ['the price answers the draft', { ...base, quoteFor: 'b' }, 'fresh'],
    ['the draft has changed', base, 'updating'],
    ['the new price failed', { ...base, failed: true }, 'stale'],
    ['the first price failed', { ...base, hasQuote: false, failed: true }, 'failed'],
    ['the route failed after a price was known', { ...base, wanted: null, failed: true }, 'stale'],
  ])('when %s', (_, input, phase) => expect(estimatePhase(input)).toBe(phase));
});

it('asks for nothing until there is a route and an item', () => {
  const route = { minutes: 25, km: '12.4' };
  const end = { ...emptyEnd(), place: { address, coords: null, area: null } };
  const both = { ends: { pickup: end, dropoff: end } };
  const selectedFurnitures = [{ id: 'couch-3-seats', quantity: 1 }];
  expect(estimatePayload(emptyDraft(), route)).toBeNull();
  expect(estimatePayload({ ...emptyDraft(), ...both }, route)).toBeNull();
  expect(estimatePayload({ ...emptyDraft(), ...both, selectedFurnitures }, null)).toBeNull();
  expect(estimatePayload({ ...emptyDraft(), ...both, selectedFurnitures }, route)).toMatchObject({
    travelDuration: 25,
    distanceKm: '12.4',
  });
});

it('gives the specification’s values where nothing is known, and the server’s where it is', () => {
  expect(draftFigures(null)).toMatchObject({
    estimatedDuration: -1,
    estimate: { amount: '0.00', currency: 'CAD', tax: '0.00' },
  });
  const estimate = mockEstimate({
    selectedFurnitures: { furnitures: [{ id: 'couch-3-seats', quantity: 1 }] },
    mateCount: 2,
  } as Parameters<typeof mockEstimate>[0]);
  expect(draftFigures(estimate)).toMatchObject({ estimatedDuration: estimate.duration, priceTaxed: estimate.total });
});

it('sends minutes of at least 1 and kilometres with one decimal', () => {
  expect([travelMinutes(10), travelMinutes(1500), travelMinutes(1529)]).toEqual([1, 25, 25]);
  expect([kilometres(12_449), kilometres(0), kilometres(999)]).toEqual(['12.4', '0.0', '1.0']);
});
