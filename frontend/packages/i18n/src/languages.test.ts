import { describe, expect, it } from 'vitest';

import { chooseLanguage } from './languages.ts';

describe('chooseLanguage', () => {
  it.each([
    [{ query: 'zh', saved: 'fr', browser: 'en-CA' }, 'zh'],
    [{ query: 'FR', saved: null, browser: 'en-CA' }, 'fr'],
    [{ query: 'de', saved: 'zh', browser: 'fr-CA' }, 'zh'],
    [{ query: null, saved: null, browser: 'fr-CA' }, 'fr'],
    [{ query: null, saved: null, browser: 'en-FR' }, 'fr'],
    [{ query: null, saved: null, browser: 'zh-TW' }, 'zh'],
    [{ query: null, saved: 'klingon', browser: 'de-DE' }, 'en'],
  ] as const)('%j gives %s', (input, language) => expect(chooseLanguage(input)).toBe(language));
});
