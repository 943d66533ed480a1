import { describe, expect, it } from 'vitest';

import { readPrefill } from './prefill.ts';

describe('readPrefill', () => {
  it('reads every parameter of the specification', () => {
    const query = new URLSearchParams(
      'discount=WELCOME10&pickupFullAddress=3575+Avenue+du+Parc&pickupApt=4B&pickupFloor=-1&pickupParking=0&pickupAccessibility=Difficult' +
        '&dropoffFullAddress=200+Granville&dropoffApt=12&dropoffParking=true&dropoffFloor=11&dropoffAccessibility=moderate',
    );
    expect(readPrefill(query)).toEqual({
      patch: {
        discountCode: 'WELCOME10',
        pickupAptUnit: '4B',
        pickupFloor: -1,
        pickupHasParking: false,
        pickupAccessibility: 'difficult',
        dropoffAptUnit: '12',
        dropoffFloor: 11,
        dropoffHasParking: true,
        dropoffAccessibility: 'moderate',
      },
      addresses: { pickup: '3575 Avenue du Parc', dropoff: '200 Granville' },
    });
  });

  it('ignores floors and codes that the forms would refuse', () => {
    const read = (query: string) => readPrefill(new URLSearchParams(query)).patch;
    expect(read(`pickupFloor=-5&dropoffFloor=61&discount=${'A'.repeat(101)}`)).toEqual({});
    expect(read(`pickupFloor=-3&dropoffFloor=60&discount=${'A'.repeat(100)}`)).toEqual({
      pickupFloor: -3,
      dropoffFloor: 60,
      discountCode: 'A'.repeat(100),
    });
  });

  it('leaves out what it cannot read', () => {
    const query = new URLSearchParams(
      'pickupFloor=high&dropoffFloor=900&pickupParking=maybe&pickupAccessibility=impossible&discount=',
    );
    expect(readPrefill(query)).toEqual({ patch: {}, addresses: {} });
  });
});
