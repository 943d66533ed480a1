import { addTexts, type TextFile } from '@portage/i18n';

import type domain from './locales/en/domain.json';

addTexts(import.meta.glob<TextFile>('./locales/*/*.json'));

declare module '@portage/i18n/resources' {
  interface Resources {
    domain: typeof domain;
  }
}
