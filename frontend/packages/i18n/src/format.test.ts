import { describe, expect, it } from 'vitest';

import {
  formatCalendarDate,
  formatDateTime,
  formatDistance,
  formatItems,
  formatKilometres,
  formatMoney,
  formatName,
  formatWallTime,
} from './format.ts';
import { formatSentences } from './sentences.ts';

const spaces = (text: string) => text.replaceAll(/[\u00A0\u202F]/g, ' ');

describe('money', () => {
  it.each([
    ['en', '$1,234.50'],
    ['fr', '1 234,50 $'],
    ['zh', 'CA$1,234.50'],
  ] as const)('%s writes %s', (language, text) => expect(spaces(formatMoney('1234.50', language))).toBe(text));

  it.each([
    ['en', '−$35.00'],
    ['fr', '−35,00 $'],
    ['zh', '−CA$35.00'],
  ] as const)('%s writes what is taken off with a true minus sign, %s', (language, text) =>
    expect(spaces(formatMoney('-35.00', language))).toBe(text),
  );
});

describe('dates', () => {
  it.each([
    ['en', 'July 1, 2027'],
    ['fr', '1er juillet 2027'],
    ['zh', '2027年7月1日'],
  ] as const)('%s writes %s', (language, text) => expect(formatCalendarDate('2027-07-01', language)).toBe(text));

  it('does not touch the eleventh or the twenty-first', () => {
    expect(formatCalendarDate('2027-07-11', 'fr')).toBe('11 juillet 2027');
    expect(formatCalendarDate('2027-07-21', 'fr')).toBe('21 juillet 2027');
  });
});

describe('times', () => {
  it.each([
    ['09:00', 'en', '9:00 a.m.'],
    ['13:30', 'en', '1:30 p.m.'],
    ['09:00', 'fr', '9 h'],
    ['13:30', 'fr', '13 h 30'],
    ['09:00', 'zh', '9:00'],
  ] as const)('%s in %s is %s', (time, language, text) => expect(spaces(formatWallTime(time, language))).toBe(text));

  it.each(['en', 'fr', 'zh'] as const)('%s keeps a time on one line', (language) =>
    expect(formatWallTime('13:30', language)).not.toContain(' '),
  );

  it('writes an instant in the zone asked for', () => {
    expect(spaces(formatDateTime('2027-02-17T14:00:00Z', 'America/Toronto', 'en'))).toBe(
      'February 17, 2027, 9:00 a.m.',
    );
  });

  it.each([
    ['en', 'December 1, 2026, 8:00 a.m. (Montreal time)'],
    ['fr', '1er décembre 2026 à 8 h (heure de Montréal)'],
    ['zh', '2026年12月1日 8:00（蒙特利尔时间）'],
  ] as const)('%s joins day, time and zone as %s', (language, text) =>
    expect(spaces(formatDateTime('2026-12-01T13:00:00Z', 'America/Toronto', language, true))).toBe(text),
  );
});

it.each([
  ['en', '10.8 km'],
  ['fr', '10,8 km'],
  ['zh', '10.8 公里'],
] as const)('%s writes a distance as %s', (language, text) =>
  expect([formatDistance('10.8', language), formatKilometres('10.8', language)].map(spaces)).toEqual([text, text]),
);

it.each([
  ['en', 'less than 1 km', '0.4 km'],
  ['fr', 'moins de 1 km', '0,4 km'],
  ['zh', '不到 1 公里', '0.4 公里'],
] as const)('%s writes a way within a street as %s, and what is charged for it as %s', (language, way, charged) => {
  expect(['0', '0.0', '0.04', '0.9'].map((km) => spaces(formatDistance(km, language)))).toEqual([way, way, way, way]);
  expect(spaces(formatKilometres('0.4', language))).toBe(charged);
  expect(spaces(formatDistance('1.0', language))).toBe(spaces(formatKilometres('1', language)));
});

it.each([
  ['伟 王', '王伟'],
  ['小明 欧阳', '欧阳小明'],
  ['Ana Roy', 'Ana Roy'],
  ['伟', '伟'],
])('writes the name %s as %s', (given, written) => expect(formatName(given)).toBe(written));

it.each(['', 'abc', 'NaN', '12,50'])('writes no price for %j', (value) => {
  expect(() => formatMoney(value, 'en')).toThrow(/no amount of money/);
});

it('parts things of one kind in Chinese by the mark for that', () => {
  expect(formatItems(['29', '30'], 'en')).toBe('29, 30');
  expect(formatItems(['29', '30'], 'fr')).toBe('29, 30');
  expect(formatItems(['床垫', '抽屉柜', '沙发'], 'zh')).toBe('床垫、抽屉柜、沙发');
});

describe('formatSentences', () => {
  it('puts a space between sentences, but not in Chinese, and leaves out what does not hold', () => {
    expect(formatSentences(['One.', null, 'Two.'], 'en')).toBe('One. Two.');
    expect(formatSentences(['Une.', 'Deux.'], 'fr')).toBe('Une. Deux.');
    expect(formatSentences(['一。', '二。'], 'zh')).toBe('一。二。');
  });
});
