import { expect, it } from 'vitest';

import { extrasSchema } from './extras-form.ts';

const messages = (tipType: 'amount' | 'percent', tipValue: string) =>
  extrasSchema
    .safeParse({ tipType, tipValue, comments: '', survey: null, surveySpecify: '' })
    .error?.issues.map((issue) => issue.message);

it('takes tips up to the largest the server takes, and names the limit of larger ones', () => {
  expect(messages('amount', '5000')).toBeUndefined();
  expect(messages('amount', '5 000,01')).toEqual(['quote:tip.tooMuch']);
  expect(messages('percent', '100')).toBeUndefined();
  expect(messages('amount', 'lots')).toEqual(['domain:tip.invalid']);
});

it('says of a percentage that it is one', () => {
  expect(messages('percent', '250')).toEqual(['domain:tip.invalidPercent']);
  expect(messages('percent', 'lots')).toEqual(['domain:tip.invalidPercent']);
});
