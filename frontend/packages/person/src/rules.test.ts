import { expect, it } from 'vitest';

import { nameRule, phoneRule } from './rules.ts';

it.each(['', '  ', '514-555-0100', '(514) 555-0100', '+1 514.555.0100', ' 5145550100 '])(
  'takes the number "%s"',
  (typed) => {
    expect(phoneRule.safeParse(typed)).toEqual({ success: true, data: typed.trim() });
  },
);

it.each(['555-0100', 'call me', '514-555-0100 ext 12', '12345678901234567'])('refuses the number "%s"', (typed) => {
  expect(phoneRule.safeParse(typed).success).toBe(false);
});

it('takes a name without the spaces around it, and refuses one of spaces', () => {
  expect(nameRule.safeParse(' Ana ').data).toBe('Ana');
  expect(nameRule.safeParse('  ').success).toBe(false);
  expect(nameRule.safeParse('x'.repeat(81)).success).toBe(false);
});
