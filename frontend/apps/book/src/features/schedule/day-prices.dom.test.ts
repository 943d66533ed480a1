import type { DayPrice } from '@portage/api';
import { expect, it } from 'vitest';

import { pricedDays } from '../../booking/estimate/comparisons.ts';
import { dearDays, standingOf } from './day-prices.ts';

const day = (date: string, total: string, factor = '1.00', label: string | null = null, open = true): DayPrice => ({
  date,
  amount: total,
  total,
  factor,
  period: label,
  label,
  open,
});
const priced = pricedDays({
  days: [
    day('2027-06-28', '850.04'),
    day('2027-06-29', '850.04'),
    day('2027-06-30', '930.00', '1.15', 'End of the month'),
    day('2027-07-01', '1640.00', '2.00', 'Moving day, July 1'),
    day('2027-07-02', '800.00', '1.00', null, false),
    day('2027-07-03', 'soon'),
  ],
  cheapest: '2027-06-28',
});
const standing = (date: string) => {
  const found = priced.days.get(date);
  return found && standingOf(found, priced);
};

it('marks the cheapest open day, and those that cost as little', () => {
  expect(standing('2027-06-28')).toBe('cheapest');
  expect(standing('2027-06-29')).toBe('low');
  // a full day is no bargain
  expect(standing('2027-07-02')).toBe('none');
});

it('tells dear days from very dear ones, and names them, the dearest first', () => {
  expect([standing('2027-06-30'), standing('2027-07-01')]).toEqual(['dear', 'dearest']);
  expect(dearDays([...priced.days.keys()], priced)).toEqual([
    { label: 'Moving day, July 1', factor: '2.00', dates: ['2027-07-01'] },
    { label: 'End of the month', factor: '1.15', dates: ['2027-06-30'] },
  ]);
});

it('shows no price that nobody can read', () => {
  expect(priced.days.has('2027-07-03')).toBe(false);
});
