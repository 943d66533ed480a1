import { expect, it } from 'vitest';

import { emptyDraft } from '../draft/draft.ts';
import { bookingBody } from './booking-body.ts';

it.each([
  ['20,50', '20.50'],
  [' 1 000,5 $', '1000.5'],
  ['$20', '20'],
])('sends the tip typed as %j the way the server reads it', (tipValue, value) => {
  const body = bookingBody({ ...emptyDraft(), tipValue }, '448.00');
  expect(body).toMatchObject({ tipRequest: { type: 'amount', value } });
});

it.each(['', ' ', '0', '0,00 $'])('takes %j for no tip', (tipValue) => {
  expect(bookingBody({ ...emptyDraft(), tipValue }, '448.00')).not.toHaveProperty('tipRequest');
});
