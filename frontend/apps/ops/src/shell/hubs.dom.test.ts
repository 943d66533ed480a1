import { describe, expect, it } from 'vitest';

import { type Hub, hubIn } from './hubs.ts';

const hub = (id: string): Hub => ({
  id,
  name: { en: id, fr: id, zh: id },
  province: 'ON',
  zone: 'America/Toronto',
  hasCalendar: true,
  hasJobs: false,
});
const known = [hub('montreal'), hub('ottawa')];

describe('the hub of a page', () => {
  it('is any that the server knows, else the first', () => {
    expect(hubIn('ottawa', known)).toBe('ottawa');
    expect(hubIn('nowhere', known)).toBe('montreal');
    expect(hubIn(undefined, known)).toBe('montreal');
  });

  it('is the one that is named while the server has not answered', () => {
    expect(hubIn('ottawa', [])).toBe('ottawa');
    expect(hubIn('../ottawa', [])).toBeNull();
    expect(hubIn(undefined, [])).toBeNull();
  });
});
