import { afterAll, expect, it, vi } from 'vitest';

import { addTexts, changeLanguage, currentLanguage, type FirstTexts, i18next, startI18n } from './i18n.ts';

// @alone: begins the i18next that the files of a worker share
type File = () => Promise<{ default: Record<string, string> }>;
const lost = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
const has = (text: string) => () => Promise.resolve({ default: { title: text } });
const english = vi.fn<File>();
const chinese = vi.fn<File>();
const said = vi.fn();

addEventListener('portage:lost', said);
afterAll(() => {
  removeEventListener('portage:lost', said);
  vi.useRealTimers();
});

it('does not begin without its texts, asks for them again, and lets the page say so', async () => {
  vi.useFakeTimers();
  addTexts({ './locales/en/first.json': english, './locales/zh/first.json': chinese });
  english.mockImplementation(lost);
  const begun = vi.fn();
  void startI18n(['first'] as unknown as FirstTexts).then(begun);
  // the clock goes on with every look
  const look = { interval: 100, timeout: 60_000 };
  await vi.waitFor(() => expect(said).toHaveBeenCalled(), look);
  expect(begun).not.toHaveBeenCalled();
  // a gap in the connection is over before anything is said
  expect(english.mock.calls.length).toBeGreaterThan(3);
  expect(english.mock.calls.length).toBeLessThan(10);
  english.mockImplementation(has('Here'));
  await vi.waitFor(() => expect(begun).toHaveBeenCalled(), look);
  expect(begun).toHaveBeenCalledOnce();
  expect(i18next.t('first:title' as never)).toBe('Here');
  vi.useRealTimers();
});

it('stays in the language on screen until the texts of the new one are there', async () => {
  chinese.mockImplementation(lost);
  await expect(changeLanguage('zh')).rejects.toThrow('no texts first in zh');
  expect(currentLanguage()).toBe('en');
  expect(document.documentElement.lang).toBe('en-CA');
  expect(localStorage.getItem('portage.lang')).toBeNull();
  expect(i18next.t('first:title' as never)).toBe('Here');
  chinese.mockImplementation(has('\u5728'));
  await changeLanguage('zh');
  expect(currentLanguage()).toBe('zh');
  expect(i18next.t('first:title' as never)).toBe('\u5728');
  await changeLanguage('en');
});

it('goes to the language that was chosen last, whichever comes first', async () => {
  let arrive: () => void = () => {};
  i18next.removeResourceBundle('zh', 'first');
  // it forgets with one language that the namespace is in use
  (i18next.options.ns as string[]).push('first');
  chinese.mockClear();
  chinese.mockImplementation(
    () =>
      new Promise((resolve) => {
        arrive = () => resolve({ default: { title: '\u5728' } });
      }),
  );
  const slow = changeLanguage('zh');
  await vi.waitFor(() => expect(chinese).toHaveBeenCalled());
  await changeLanguage('en');
  expect(currentLanguage()).toBe('en');
  arrive();
  await slow;
  expect(currentLanguage()).toBe('en');
});
