// @vitest-environment node
import { expect, it } from 'vitest';

import { daysOf, type Preset, presetKeys, readRange, writeRange } from './range.ts';

it('reads what it wrote', () => {
  for (const range of [
    ...presetKeys,
    { from: '2027-06-20', to: '2027-07-05' },
    { from: '2027-06-20' },
    { to: '2027-07-05' },
  ])
    expect(readRange(writeRange(range))).toEqual(range);
});

it('takes nothing else for a range', () => {
  for (const wrong of [
    '..',
    '',
    'yesterday',
    '2027-07-05..2027-06-20',
    '2027-02-30..',
    '2027-06-20',
    'a..b',
    '1..2..3',
    7,
  ])
    expect(readRange(wrong), String(wrong)).toBeNull();
});

it.each<[Preset, string, string]>([
  ['today', '2027-06-24', '2027-06-24'],
  ['tomorrow', '2027-06-25', '2027-06-25'],
  ['next7', '2027-06-24', '2027-06-30'],
  ['thisWeek', '2027-06-20', '2027-06-26'],
  ['thisMonth', '2027-06-01', '2027-06-30'],
  ['nextMonth', '2027-07-01', '2027-07-31'],
  ['last7', '2027-06-18', '2027-06-24'],
  ['last30', '2027-05-26', '2027-06-24'],
  ['lastMonth', '2027-05-01', '2027-05-31'],
])('%s is %s to %s', (preset, from, to) => {
  expect(daysOf(preset, '2027-06-24', 'en')).toEqual({ from, to });
});

it('keeps a name a name: tomorrow, today is another day', () => {
  const kept = readRange('today');
  expect(kept && daysOf(kept, '2027-06-25', 'en')).toEqual({ from: '2027-06-25', to: '2027-06-25' });
});
