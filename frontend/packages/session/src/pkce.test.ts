import { expect, it } from 'vitest';

import { challengeOf, randomText } from './pkce.ts';

it('computes the challenge of the RFC 7636 example', async () => {
  await expect(challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).resolves.toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  );
});

it('makes verifiers of the allowed length and characters', () => {
  expect(randomText()).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(randomText()).not.toBe(randomText());
});
