import { addTexts, type TextFile } from '@portage/i18n';

import type address from './locales/en/address.json';

addTexts(import.meta.glob<TextFile>('./locales/*/*.json'));

declare module '@portage/i18n/resources' {
  interface Resources {
    address: typeof address;
  }
}
