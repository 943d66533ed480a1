import { expect, it } from 'vitest';

import { signUpSchema } from './forms.ts';

it('takes a telephone number the way people write it', () => {
  const form = {
    firstName: 'Ana',
    lastName: 'Roy',
    email: 'ana@example.test',
    phone: '(514) 555-0100',
    password: 'a quiet river in spring',
    acceptTerms: true,
  };
  expect(signUpSchema.safeParse(form).error?.issues ?? []).toEqual([]);
});
