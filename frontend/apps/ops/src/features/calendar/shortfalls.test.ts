import { ApiProblem } from '@portage/api';
import { expect, it } from 'vitest';

import { shortfallsOf } from './shortfalls.ts';

const refusal = (shortfalls: unknown, code = 'capacity_taken') =>
  new ApiProblem({ status: 409, code, members: { shortfalls } });
const day = { hub: 'montreal', date: '2027-07-01', what: 'mates', taken: 30, offered: 24 };

it('are read out of the refusal, without what a later server adds', () => {
  expect(shortfallsOf(refusal([day, { ...day, what: '26ft' }, { ...day, what: 'bicycles' }, null]))).toEqual([
    { date: '2027-07-01', what: 'mates', taken: 30, offered: 24 },
    { date: '2027-07-01', what: '26ft', taken: 30, offered: 24 },
  ]);
});

it.each([
  ['another refusal', refusal([day], 'absence_overlaps')],
  ['a refusal that names none', refusal(undefined)],
])('are none in %s', (_, problem) => expect(shortfallsOf(problem)).toEqual([]));
