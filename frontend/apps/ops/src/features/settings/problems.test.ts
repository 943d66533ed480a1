import { expect, it } from 'vitest';

import { inputOf, problemsAt } from './problems.ts';

const known = [
  'depositRetry',
  'retention.afterFree',
  'retention.afterLock',
  'provinces.QC.ownRetention',
  'provinces.QC.retention.afterFree',
  'provinces.ON.maxOverrun',
];

it.each([
  ['values.provinces.QC.retention.afterFree', 'provinces.QC.retention.afterFree'],
  ['provinces.ON.maxOverrun', 'provinces.ON.maxOverrun'],
  ['values.depositRetry.2', 'depositRetry'],
  ['values.depositRetry[2]', 'depositRetry'],
  ['values.retention', 'retention.afterFree'],
  ['values.provinces.QC.retention', 'provinces.QC.retention.afterFree'],
  ['values.provinces.YT.maxOverrun', 'provinces.QC.ownRetention'],
  ['values.unheardOf', 'unheardOf'],
])('%s is told at %s', (field, input) => {
  expect(inputOf(field, known)).toBe(input);
});

it('keeps the words of the server', () => {
  expect(problemsAt([{ field: 'values.depositRetry', message: 'Rising, please.' }], known)).toEqual([
    { field: 'depositRetry', message: 'Rising, please.' },
  ]);
});
