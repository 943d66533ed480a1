import { freshSetup } from '@portage/mock-api';
import { describe, expect, it } from 'vitest';

import { type Field, fieldsOf, provincesOf } from './fields.ts';
import { schemaOf } from './schema.ts';
import type { Group, GroupRecord, Values } from './types.ts';
import { at, bodyOf, type Form, formOf, formOfRecord, isOwn, parseHours } from './values.ts';

function recordOf(group: Group, saved: Values = {}): GroupRecord {
  const defaults = freshSetup().settings[group]?.defaults ?? {};
  return {
    version: 1,
    values: { ...defaults, ...saved },
    saved,
    defaults,
    sources: {},
    changedAt: null,
    changedBy: null,
  };
}

function begin(group: Group, saved?: Values) {
  const record = recordOf(group, saved);
  const fields = fieldsOf(group, record, ['montreal', 'toronto', 'calgary']);
  return { record, fields, form: formOfRecord(fields, record), defaults: formOf(fields, record.defaults, {}) };
}

/** The form with one input written over. */
function typed(form: Form, path: string, value: unknown): Form {
  const copy = structuredClone(form);
  const names = path.split('.');
  const last = names.pop() ?? '';
  const inner = (names.length > 0 ? at(copy, names.join('.')) : copy) as Form;
  inner[last] = value;
  return copy;
}

const field = (fields: readonly Field[], name: string) => fields.find((one) => one.name === name) as Field;
const faults = (fields: readonly Field[], form: Form) =>
  schemaOf(fields)
    .safeParse(form)
    .error?.issues.map(({ path }) => path.join('.')) ?? [];

describe('a group that nobody saved', () => {
  it.each<Group>(['company', 'policy', 'scheduling'])('saves nothing of %s, and has no mistakes', (group) => {
    const { fields, form, defaults } = begin(group);
    expect(bodyOf(fields, form, defaults)).toEqual({});
    expect(faults(fields, form)).toEqual([]);
  });

  it('is shown in the units of people', () => {
    const { form } = begin('policy');
    expect(at(form, 'deposit')).toBe('20');
    expect(at(form, 'depositRetry')).toBe('0, 6, 24, 48');
    expect(at(form, 'provinces.AB.maxOverrunAmount')).toBe('100');
    expect(at(begin('scheduling', { opens: '07:30:00' }).form, 'opens')).toBe('07:30');
  });
});

describe('what is saved', () => {
  it('is read and written without a loss', () => {
    const saved = {
      deposit: '0.1255',
      balanceRetry: [0, 3],
      autoRelease: false,
      provinces: {
        QC: {
          retention: { afterFree: '0', afterLock: '0.5', mode: 'actual_costs', reviewRequired: false },
          trustAccountAfterDays: 45,
        },
        NB: { maxOverrun: '0.05' },
      },
    };
    const { fields, form, defaults } = begin('policy', saved);
    expect(bodyOf(fields, form, defaults)).toEqual(saved);
    expect(provincesOf(recordOf('policy', saved))).toEqual(['QC', 'ON', 'BC', 'AB', 'NB']);
  });

  it('is a field that differs from its default, or that somebody saved with the same value', () => {
    const { fields, form, defaults } = begin('policy', { tipDelay: 24 });
    expect(bodyOf(fields, typed(form, 'deposit', '25'), defaults)).toEqual({ deposit: '0.25', tipDelay: 24 });
    // another way to write the same number is no change
    expect(isOwn(field(fields, 'deposit'), typed(form, 'deposit', '20.0 %'), defaults)).toBe(false);
    expect(isOwn(field(fields, 'tipDelay'), form, defaults)).toBe(true);
  });

  it('leaves out what is empty where that means that there is none', () => {
    const { fields, form, defaults } = begin('policy');
    const without = typed(typed(form, 'provinces.AB.maxOverrun', ''), 'provinces.AB.maxOverrunAmount', ' ');
    expect(bodyOf(fields, without, defaults)['provinces']).toEqual({
      QC: expect.objectContaining({ trustAccountAfterDays: 60 }) as object,
      ON: { maxOverrun: '0.1' },
    });
    const company = begin('company');
    const mail = typed(company.form, 'replyTo.toronto', ' toronto@move.test ');
    expect(bodyOf(company.fields, mail, company.defaults)).toEqual({ replyTo: { toronto: 'toronto@move.test' } });
    // an emptied text is an empty text: the default would come back otherwise
    expect(bodyOf(company.fields, typed(company.form, 'supportPhone', ''), company.defaults)).toEqual({
      supportPhone: '',
    });
  });

  it('has shares of a province only while its box is checked, and begins with the general ones', () => {
    const { fields, form, defaults } = begin('policy', {
      retention: { afterFree: '0.1', afterLock: '0.9', mode: 'policy', reviewRequired: false },
    });
    expect(at(form, 'provinces.BC.retention.afterFree')).toBe('10');
    const own = bodyOf(fields, typed(form, 'provinces.BC.ownRetention', true), defaults)['provinces'];
    expect(own).toMatchObject({ BC: { retention: { afterFree: '0.1', afterLock: '0.9' } } });
    const none = bodyOf(fields, typed(form, 'provinces.QC.ownRetention', false), defaults)['provinces'];
    expect(none).toMatchObject({ QC: { trustAccountAfterDays: 60 } });
    expect(none).not.toHaveProperty('QC.retention');
  });
});

describe('a mistake', () => {
  it.each([
    ['deposit', '0'],
    ['deposit', '101'],
    ['deposit', '12.345'],
    ['freeWindow', '1.5'],
    ['freeWindow', ''],
    ['depositRetry', '6, 24'],
    ['depositRetry', '0, 24, 6'],
    ['depositRetry', '0 1 2 3 4 5'],
    ['depositRetry', 'now'],
    ['provinces.QC.retention.afterFree', 'half'],
    ['provinces.AB.maxOverrunAmount', '-1'],
  ])('is found: %s cannot be “%s”', (path, value) => {
    const { fields, form } = begin('policy');
    expect(faults(fields, typed(form, path, value))).toEqual([path]);
  });

  it.each([
    ['name', ' '],
    ['supportEmail', 'support'],
    ['supportPhone', '911'],
    ['gstNumber', '123456789RT0001'],
    ['qstNumber', '1234567890'],
    ['neq', '4443920115'],
    ['replyTo.calgary', 'calgary@'],
  ])('is found: %s cannot be “%s”', (path, value) => {
    const { fields, form } = begin('company');
    expect(faults(fields, typed(form, path, value))).toEqual([path]);
  });

  it('is none where the input does not count', () => {
    const { fields, form } = begin('policy');
    expect(faults(fields, typed(form, 'provinces.BC.retention.afterFree', 'half'))).toEqual([]);
  });
});

it('reads hours however they are parted', () => {
  expect(parseHours('0, 6;24 48')).toEqual([0, 6, 24, 48]);
  expect(parseHours('0，6、24')).toEqual([0, 6, 24]);
  expect(parseHours('0, six')).toBeNull();
});
