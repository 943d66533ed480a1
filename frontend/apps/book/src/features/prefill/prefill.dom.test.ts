import { describe, expect, it } from 'vitest';

import { readPrefill } from './prefill.ts';

const nothing = { changes: { pickup: {}, dropoff: {} }, addresses: {} };

describe('readPrefill', () => {
  it('reads every parameter of the specification', () => {
    const query = new URLSearchParams(
      'discount=WELCOME10&pickupFullAddress=3575+Avenue+du+Parc&pickupApt=4B&pickupFloor=-1&pickupParking=0&pickupAccessibility=Difficult' +
        '&dropoffFullAddress=200+Granville&dropoffApt=12&dropoffParking=true&dropoffFloor=11&dropoffAccessibility=moderate',
    );
    expect(readPrefill(query)).toEqual({
      discountCode: 'WELCOME10',
      changes: {
        pickup: { unit: '4B', floor: -1, parking: false, accessibility: 'difficult' },
        dropoff: { unit: '12', floor: 11, parking: true, accessibility: 'moderate' },
      },
      addresses: { pickup: '3575 Avenue du Parc', dropoff: '200 Granville' },
    });
  });

  it('ignores floors and codes that the forms would refuse', () => {
    const read = (query: string) => readPrefill(new URLSearchParams(query));
    expect(read(`pickupFloor=-5&dropoffFloor=61&discount=${'A'.repeat(101)}`)).toEqual(nothing);
    expect(read(`pickupFloor=-3&dropoffFloor=60&discount=${'A'.repeat(100)}`)).toEqual({
      ...nothing,
      changes: { pickup: { floor: -3 }, dropoff: { floor: 60 } },
      discountCode: 'A'.repeat(100),
    });
  });

  it('leaves out what it cannot read', () => {
    const query = new URLSearchParams(
      'pickupFloor=high&dropoffFloor=900&pickupParking=maybe&pickupAccessibility=impossible&discount=',
    );
    expect(readPrefill(query)).toEqual(nothing);
  });
});
