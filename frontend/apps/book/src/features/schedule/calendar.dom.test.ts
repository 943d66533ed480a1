import { describe, expect, it } from 'vitest';

import { addMonths, dayState, nearestSlots, partOf, todayInMontreal, weeksFrom, weeksOf } from './calendar.ts';

const slot = (time: string, available = true) => ({ time, startsAt: '', available });

describe('weeksOf', () => {
  it('starts on Sunday in English and on Monday in Chinese', () => {
    // 1 February 2027 is a Monday
    expect(weeksOf('2027-02', 'en')[0]).toEqual([
      null,
      '2027-02-01',
      '2027-02-02',
      '2027-02-03',
      '2027-02-04',
      '2027-02-05',
      '2027-02-06',
    ]);
    expect(weeksOf('2027-02', 'zh')[0]?.[0]).toBe('2027-02-01');
    expect(weeksOf('2028-02', 'fr').flat().filter(Boolean)).toHaveLength(29);
  });
});

it('drops the weeks that are over, and keeps the one of today whole', () => {
  const weeks = weeksFrom('2027-02-17', weeksOf('2027-02', 'en'));
  expect(weeks.map((week) => week.find(Boolean))).toEqual(['2027-02-14', '2027-02-21', '2027-02-28']);
  expect(weeksFrom('2027-02-17', weeksOf('2027-03', 'en'))).toHaveLength(weeksOf('2027-03', 'en').length);
});

it('crosses years by month', () => {
  expect(addMonths('2027-12', 1)).toBe('2028-01');
  expect(addMonths('2027-01', -1)).toBe('2026-12');
});

it('takes today from Montreal, whatever the device says', () => {
  expect(todayInMontreal(new Date('2027-02-17T03:30:00Z'))).toBe('2027-02-16');
});

it('gives every unavailable day its reason', () => {
  const today = '2027-02-10';
  expect(dayState('2027-02-09', today, undefined)).toBe('past');
  expect(dayState('2028-03-09', today, undefined)).toBe('beyond');
  expect(dayState('2027-02-11', today, undefined)).toBe('unknown');
  expect(dayState('2027-12-25', today, { date: '2027-12-25', closed: true, slots: [] })).toBe('closed');
  expect(dayState('2027-02-13', today, { date: '2027-02-13', closed: false, slots: [slot('09:00', false)] })).toBe(
    'full',
  );
  expect(dayState('2027-02-14', today, { date: '2027-02-14', closed: false, slots: [slot('09:00')] })).toBe('open');
});

it('groups by part of the day', () => {
  expect([partOf('11:30'), partOf('12:00'), partOf('17:00')]).toEqual(['morning', 'afternoon', 'evening']);
});

it('offers the three nearest open starts, the lost one never', () => {
  const days = [
    { date: '2027-02-17', closed: false, slots: [slot('08:00'), slot('09:00'), slot('09:30', false), slot('11:00')] },
    { date: '2027-02-18', closed: false, slots: [slot('09:00')] },
  ];
  expect(
    nearestSlots({ date: '2027-02-17', time: '09:00' }, days).map((one) => `${one.date} ${one.slot.time}`),
  ).toEqual(['2027-02-17 08:00', '2027-02-17 11:00', '2027-02-18 09:00']);
});
