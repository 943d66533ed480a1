import { addTexts, type FirstTexts, i18next, startI18n } from '@portage/i18n';
import { beforeAll, expect, it, vi } from 'vitest';

import { loadTexts } from './load-texts.ts';

const file = vi.fn<() => Promise<{ default: Record<string, string> }>>();
const load = loadTexts(...(['late'] as unknown as FirstTexts));

beforeAll(async () => {
  addTexts({ './locales/en/late.json': file });
  await startI18n();
});

it('rejects while a file of texts cannot be fetched, and takes it when it comes', async () => {
  file.mockRejectedValue(new TypeError('Failed to fetch dynamically imported module'));
  await expect(load()).rejects.toThrow('no texts late in en');
  // the button "Try again" of the page runs the loader again
  await expect(load()).rejects.toThrow('no texts late in en');
  file.mockResolvedValue({ default: { title: 'Here' } });
  await load();
  expect(i18next.getResource('en', 'late', 'title')).toBe('Here');
  const asked = file.mock.calls.length;
  await load();
  expect(file).toHaveBeenCalledTimes(asked);
});
