import { someFigures } from '@portage/mock-api';
import { describe, expect, it } from 'vitest';

import { addEntry, draftOf, finish, removeEntry, removePart, setPart, typeInto } from './draft.ts';
import { figuresOf, rateFigures } from './figures.ts';
import { instantIn, wallIn } from './instant.ts';
import { changedPlaces, merge } from './merge.ts';
import { readFigure, shown } from './numbers.ts';
import { type Card, getAt, isWithin, removeAt, sameJson, setAt } from './paths.ts';
import { placeOf } from './places.ts';
import { letterOf, periodsOf, shadeOf, yearOf } from './year.ts';

const card = () => someFigures() as Card;
const done = (draft: ReturnType<typeof draftOf>) => finish(draft, figuresOf(draft.card));

describe('the places of a card', () => {
  it('are read, written and taken away as the server names them', () => {
    const now = card();
    expect(getAt(now, 'rates.default.truck_fee_by_tier[2]')).toBe('85.00');
    expect(getAt(now, 'periods[1].to')).toBe('07-05');
    expect(getAt(now, 'rates.ON.km_fee')).toBeUndefined();
    expect(getAt(now, 'rates.constructor.name')).toBeUndefined();
    const next = setAt(now, 'rates.ON.km_fee', '1.20');
    expect(getAt(next, 'rates.ON.km_fee')).toBe('1.20');
    expect(getAt(now, 'rates.ON.km_fee')).toBeUndefined();
    expect(sameJson(removeAt(next, 'rates.ON.km_fee'), now)).toBe(true);
    expect(removeAt(now, 'rates.NL.km_fee')).toEqual(now);
    expect(getAt(removeAt(now, 'periods[0]'), 'periods[0].name')).toBe('qc-moving-peak');
    expect(isWithin('periods[1].to', 'periods')).toBe(true);
    expect(isWithin('rates.ONE', 'rates.ON')).toBe(false);
  });

  it('are found for a mistake: the field itself, what is next to it, or none', () => {
    const now = card();
    expect(placeOf('card.rates.ON.km_fee', now).field).toBe('rates.ON.km_fee');
    expect(placeOf('card.rates.default.extra_services.tvMounting', now).field).toBe(
      'rates.default.extra_services.tv_mounting',
    );
    expect(placeOf('card.taxes.ON.components', now).field).toBe('taxes.ON.components[0].name');
    expect(placeOf('card.rates.default.minimum_billed_min.residential', now).field).toBe(
      'rates.default.minimum_billed_min.residential[0]',
    );
    expect(placeOf('card.periods[0]', now).field).toBe('periods[0].name');
    expect(placeOf('card.rates.BC.kmfee', now)).toEqual({ path: 'rates.BC.kmfee', field: null });
    expect(placeOf('card', now)).toEqual({ path: '', field: null });
  });
});

describe('a figure', () => {
  it.each([
    ['80.00', 'money', '80.00', '80,00'],
    [2000, 'percent', '20', '20'],
    [1250, 'percent', '12.5', '12,5'],
    [12_500, 'factor', '1.25', '1,25'],
    [10_000, 'factor', '1', '1'],
    [700, 'thousandths', '70', '70'],
    [149_750, 'tax', '14.975', '14,975'],
    [30, 'minutes', '30', '30'],
    [0, 'percent', '0', '0'],
    ['gst', 'text', 'gst', 'gst'],
  ] as const)('%s as %s is typed %s, in French %s, and read back', (value, kind, english, french) => {
    expect(shown(value, kind, 'en')).toBe(english);
    expect(shown(value, kind, 'fr')).toBe(french);
    expect(readFigure(english, kind)).toBe(value);
    expect(readFigure(french, kind)).toBe(value);
  });

  it.each([
    ['1 234,50', 'money', '1234.50'],
    ['1\u00A0234,5 $', 'money', '1234.50'],
    ['20 %', 'percent', 2000],
    ['1,3', 'factor', 13_000],
  ] as const)('%s is read as %s', (typed, kind, value) => expect(readFigure(typed, kind)).toBe(value));

  it.each([
    ['', 'money'],
    ['-1', 'money'],
    ['1.234', 'money'],
    ['1,234.50', 'money'],
    ['ten', 'minutes'],
    ['1.5', 'minutes'],
    ['12.345', 'percent'],
    ['-5', 'percent'],
  ] as const)('%j is refused as %s', (typed, kind) => expect(readFigure(typed, kind)).toBeUndefined());
});

describe('a draft', () => {
  it('that nobody touched is the card that came', () => {
    const now = card();
    const { card: made, wrong } = done(draftOf(now));
    expect(made).toEqual(now);
    expect(JSON.stringify(made)).toBe(JSON.stringify(now));
    expect(wrong).toEqual({});
  });

  it('keeps what this page does not know', () => {
    const now = setAt(setAt(card(), 'rates.default.surge_bp', 5), 'brand_new', { deep: [1, 2] });
    const { card: made } = done(typeInto(draftOf(now), 'rates.default.km_fee', '1,30'));
    expect(made).toEqual(setAt(now, 'rates.default.km_fee', '1.30'));
  });

  it('says the same when every field is typed again as it is shown', () => {
    const now = card();
    let draft = draftOf(now);
    for (const { path, kind } of figuresOf(now)) {
      const text = shown(getAt(now, path), kind, 'fr');
      if (text !== '') draft = typeInto(draft, path, text);
    }
    expect(done(draft)).toEqual({ card: now, wrong: {} });
  });

  it('leaves out what a province has not, and asks for all three of a list', () => {
    const now = card();
    const emptied = done(typeInto(draftOf(now), 'rates.ON.travel_fee_min', ' '));
    expect(emptied.card).toEqual(removeAt(now, 'rates.ON.travel_fee_min'));
    const one = typeInto(draftOf(now), 'rates.ON.truck_fee_by_tier[1]', '60');
    expect(Object.keys(done(one).wrong)).toEqual(['rates.ON.truck_fee_by_tier[0]', 'rates.ON.truck_fee_by_tier[2]']);
    expect(getAt(done(one).card, 'rates.ON.truck_fee_by_tier')).toBeUndefined();
    const all = [0, 2].reduce((draft, index) => typeInto(draft, `rates.ON.truck_fee_by_tier[${index}]`, '50'), one);
    expect(getAt(done(all).card, 'rates.ON.truck_fee_by_tier')).toEqual(['50.00', '60.00', '50.00']);
  });

  it('says what is missing and what cannot be read, and leaves those figures alone', () => {
    const draft = typeInto(typeInto(draftOf(card()), 'level_one_threshold', ''), 'rates.default.km_fee', 'much');
    const { card: made, wrong } = done(draft);
    expect(wrong).toEqual({ level_one_threshold: 'required', 'rates.default.km_fee': 'unreadable' });
    expect(made).toEqual(card());
  });

  it('says the rule of a figure below zero', () => {
    const negative = typeInto(typeInto(draftOf(card()), 'rates.default.km_fee', '-1.50'), 'level_one_threshold', '-3');
    const { card: made, wrong } = done(negative);
    expect(wrong).toEqual({ level_one_threshold: 'negative', 'rates.default.km_fee': 'negativeMoney' });
    expect(made).toEqual(card());
  });

  it('adds and takes away entries; what was typed moves with them', () => {
    let draft = typeInto(draftOf(card()), 'periods[2].name', 'before');
    draft = typeInto(draft, 'periods[0].name', 'gone');
    draft = removeEntry(draft, 'periods', 0);
    expect(draft.typed).toEqual({ 'periods[1].name': 'before' });
    expect(getAt(done(draft).card, 'periods[1].name')).toBe('before');
    draft = addEntry(draft, 'periods', { name: '', rule: 'weekend', multiplier_bp: 12_000 });
    expect(done(draft).wrong).toEqual({ 'periods[9].name': 'required' });
    draft = setPart(draft, 'rates.NL', {});
    expect(rateFigures(draft.card, 'NL').hourly).toHaveLength(3);
    draft = removePart(typeInto(draft, 'rates.NL.km_fee', '1'), 'rates.NL');
    expect(Object.keys(draft.typed)).toEqual(['periods[1].name']);
  });
});

describe('two changes of the same card', () => {
  it('are put together figure by figure; mine wins where both changed one', () => {
    const base = card();
    const mine = setAt(setAt(base, 'rates.default.km_fee', '1.50'), 'periods[0].multiplier_bp', 21_000);
    let theirs = setAt(setAt(base, 'rates.default.km_fee', '1.70'), 'rates.NL', { km_fee: '2.00' });
    theirs = setAt(theirs, 'periods[1].multiplier_bp', 17_000);
    const both = merge(base, mine, theirs) as Card;
    expect(getAt(both, 'rates.default.km_fee')).toBe('1.50');
    expect(getAt(both, 'rates.NL.km_fee')).toBe('2.00');
    expect(getAt(both, 'periods[0].multiplier_bp')).toBe(21_000);
    expect(getAt(both, 'periods[1].multiplier_bp')).toBe(17_000);
    expect(changedPlaces(base, theirs).sort()).toEqual([
      'periods[1].multiplier_bp',
      'rates.NL.km_fee',
      'rates.default.km_fee',
    ]);
  });

  it('keep a province that one of them took away and the other left alone away', () => {
    const base = card();
    expect(getAt(merge(base, removeAt(base, 'rates.ON'), base) as Card, 'rates.ON')).toBeUndefined();
    expect(getAt(merge(base, base, removeAt(base, 'rates.ON')) as Card, 'rates.ON')).toBeUndefined();
  });
});

describe('the picture of a year', () => {
  const periods = periodsOf(card());
  const nameOn = (province: string, year: number, month: number, day: number) => {
    const index = yearOf(periods, province, year)[month - 1]?.[day - 1];
    return index === null || index === undefined ? 'base' : periods[index]?.name;
  };
  it.each([
    ['QC', 2027, 7, 1, 'qc-moving-day'],
    ['QC', 2027, 7, 4, 'qc-moving-peak'],
    ['QC', 2027, 7, 6, 'qc-shoulder-after'],
    ['QC', 2027, 5, 31, 'qc-shoulder-before'],
    ['QC', 2027, 7, 31, 'month-end-qc'],
    ['QC', 2027, 7, 17, 'qc-summer'],
    ['QC', 2027, 2, 27, 'month-end-qc'],
    ['QC', 2028, 2, 27, 'weekend'],
    ['ON', 2027, 7, 1, 'month-end'],
    ['ON', 2027, 7, 3, 'summer'],
    ['BC', 2027, 12, 31, 'month-end'],
    ['AB', 2027, 11, 12, 'base'],
  ])('has in %s on %i-%i-%i the period that the price has: %s', (province, year, month, day, name) =>
    expect(nameOn(province, year, month, day)).toBe(name),
  );

  it('has statutory holidays where they are known, unless something dearer falls on them', () => {
    const holidays = { '2027-07-01': 'Canada Day', '2027-11-11': 'Remembrance Day' };
    const name = (month: number, day: number, known: Record<string, string>) => {
      const index = yearOf(periods, 'QC', 2027, known)[month - 1]?.[day - 1];
      return index === null || index === undefined ? 'base' : periods[index]?.name;
    };
    expect([name(11, 11, holidays), name(11, 11, {}), name(11, 12, holidays)]).toEqual(['holiday', 'base', 'base']);
    expect(name(7, 1, holidays)).toBe('qc-moving-day');
  });

  it('has every day of a leap year, and a range that passes New Year', () => {
    expect(yearOf(periods, 'QC', 2028).flat()).toHaveLength(366);
    const dates = { from: '12-20', to: '01-05', only: null, except: null } as const;
    const winter = { ...dates, name: 'w', rule: 'range', factor: 12_000 } as const;
    const year = yearOf([winter], 'QC', 2027);
    expect([year[11]?.[30], year[0]?.[4], year[0]?.[5], year[11]?.[18]]).toEqual([0, 0, null, null]);
  });

  it('has a letter for any number of periods, and four shades', () => {
    expect([letterOf(0), letterOf(25), letterOf(26)]).toEqual(['A', 'Z', 'A2']);
    expect([11_000, 11_500, 13_000, 20_000].map(shadeOf)).toEqual([1, 2, 3, 4]);
  });
});

describe('the beginning of a version', () => {
  const zone = 'America/Toronto';
  it('is a time by the clocks of the company, in summer and in winter', () => {
    expect(instantIn(zone, '2027-03-01', '00:00')).toBe('2027-03-01T05:00:00.000Z');
    expect(instantIn(zone, '2027-07-01', '06:30')).toBe('2027-07-01T10:30:00.000Z');
    expect(wallIn(zone, '2027-07-01T10:30:00Z')).toEqual({ day: '2027-07-01', time: '06:30' });
    expect(wallIn(zone, '2027-03-01T05:00:00Z')).toEqual({ day: '2027-03-01', time: '00:00' });
  });

  it('is none in the hour that is left out, and the first in the hour that comes twice', () => {
    expect(instantIn(zone, '2027-03-14', '02:30')).toBeNull();
    expect(instantIn(zone, '2027-11-07', '01:30')).toBe('2027-11-07T05:30:00.000Z');
    expect(instantIn(zone, '', '01:30')).toBeNull();
  });
});
