import type common from './locales/en/common.json';

/**
 * Texts by namespace; English is the source of the key names. Whoever owns texts adds a namespace in a `texts.ts`, so
 * that a program knows the keys of what it is made of and no others.
 */
export interface Resources {
  common: typeof common;
}

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: Resources;
    keySeparator: false;
    interpolationPrefix: '{';
    interpolationSuffix: '}';
    returnNull: false;
  }
}
