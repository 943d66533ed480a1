import { startI18n } from '@portage/i18n';
import type { AuditEntry } from '@portage/api';
import { renderHook } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';

import '../../texts.ts';
import { useAuditWords } from './words.ts';

beforeAll(async () => {
  await startI18n(['audit']);
});

it('says what was done in words, with the number of the booking, and keeps what it does not know', () => {
  const { action, subject } = renderHook(useAuditWords).result.current;
  const entry = (of: Partial<Record<keyof AuditEntry, unknown>>) =>
    ({ action: 'booking.edit', subjectKind: 'booking', before: null, after: null, ...of }) as AuditEntry;
  expect(action(entry({}))).toBe('changed the booking');
  expect(subject(entry({ after: { shortId: 'WN6NVD' } }))).toBe('booking WN6NVD');
  expect(subject(entry({ subjectKind: 'password' }))).toBe('account');
  expect(action(entry({ action: 'moon.land' }))).toBe('moon.land');
  expect(subject(entry({ subjectKind: 'moon' }))).toBe('moon');
});
