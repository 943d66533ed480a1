import type { Coordinates } from '@portage/api';
import { describe, expect, it } from 'vitest';

import { type Draft, emptyDraft } from './draft.ts';
import { type DraftEnd, emptyEnd } from './ends.ts';
import {
  allDone,
  canOpen,
  canOpenFromStart,
  finalOpen,
  firstMissing,
  isLastStep,
  type StepId,
  stepOf,
  stepState,
  wizardPaths,
} from './steps.ts';

const address = {
  country: 'Canada',
  province: 'QC',
  postalCode: 'H2X 3P9',
  city: 'Montréal',
  street: '1 Rue A',
  unit: '',
  fullAddress: '1 Rue A',
};
const at = (coords: Coordinates | null): DraftEnd => ({ ...emptyEnd(), place: { address, coords, area: null } });
const pickup = at({ lat: 1, lon: 2 });
const one: Partial<Draft> = { ends: { pickup, dropoff: at({ lat: 3, lon: 4 }) } };
const two: Partial<Draft> = { selectedFurnitures: [{ id: 'couch-3-seats', quantity: 1 }] };
const three: Partial<Draft> = { date: '2027-02-17', time: '09:00' };
const draft = (...parts: Partial<Draft>[]): Draft => Object.assign(emptyDraft(), ...parts) as Draft;
const steps: StepId[] = [1, 2, 3];
const states = (of: Draft) => steps.map((step) => stepState(of, step));

describe('states', () => {
  it.each([
    ['nothing', draft(), ['current', 'incomplete', 'incomplete']],
    [
      'an address without coordinates',
      draft({ ends: { pickup, dropoff: at(null) } }),
      ['current', 'incomplete', 'incomplete'],
    ],
    ['step 1', draft(one), ['complete', 'current', 'incomplete']],
    ['steps 1 and 2', draft(one, two), ['complete', 'complete', 'current']],
    ['all', draft(one, two, three), ['complete', 'complete', 'complete']],
    ['step 2 alone', draft(two), ['current', 'complete', 'current']],
    ['a date without a time', draft(one, two, { date: '2027-02-17' }), ['complete', 'complete', 'current']],
    [
      'zero of an item',
      draft(one, { selectedFurnitures: [{ id: 'x', quantity: 0 }] }),
      ['complete', 'current', 'incomplete'],
    ],
    ['editing', draft({ editing: 'b1' }), ['current', 'current', 'current']],
  ])('after %s', (_, of, expected) => expect(states(of)).toEqual(expected));
});

it('opens current and complete steps, and the final circle only when all three are complete', () => {
  expect(steps.map((step) => canOpen(draft(one), step))).toEqual([true, true, false]);
  expect(finalOpen(draft(one, two))).toBe(false);
  expect(finalOpen(draft(one, two, three))).toBe(true);
  expect(finalOpen(draft({ editing: 'b1' }))).toBe(true);
  expect(allDone(draft(one, three))).toBe(false);
});

describe('start page', () => {
  it.each([
    ['nothing', draft(), [true, false, false]],
    ['step 1', draft(one), [true, true, true]],
    ['step 2', draft(two), [true, true, true]],
    ['step 3', draft(three), [true, false, true]],
  ])('after %s', (_, of, expected) => expect(steps.map((step) => canOpenFromStart(of, step))).toEqual(expected));
});

describe('deep links', () => {
  it('lead to the first incomplete step, and the guidelines to the start', () => {
    expect(firstMissing(draft(), '/schedule')).toBe('/locations');
    expect(firstMissing(draft(one), '/schedule')).toBe('/move-type');
    expect(firstMissing(draft(one, two), '/quote')).toBe('/schedule');
    expect(firstMissing(draft(one, two), '/guidelines')).toBe('/');
    expect(firstMissing(draft(one, two, three), '/guidelines')).toBeNull();
    expect(firstMissing(draft(), '/payment')).toBe('/locations');
    expect(firstMissing(draft(one, two), '/payment')).toBe('/schedule');
    expect(firstMissing(draft(one, two, three), '/payment')).toBe('/guidelines');
    expect(firstMissing(draft(one, two, three, { guidelinesAgreed: true }), '/payment')).toBeNull();
    expect(firstMissing(draft({ editing: 'b1' }), '/quote')).toBeNull();
  });
});

it('counts the steps as the stepper draws them: three numbered ones, and a last one with all that follows', () => {
  const pages = wizardPaths.filter((path) => path !== '/');
  expect(pages.map(stepOf)).toEqual([1, 2, 3, 4, 4, 4].map((n) => ({ n, of: 4 })));
  expect(pages.filter(isLastStep)).toEqual(['/quote', '/guidelines', '/payment']);
  expect(isLastStep('/')).toBe(false);
});
