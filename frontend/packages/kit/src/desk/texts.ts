import { addTexts, type TextFile } from '@portage/i18n';

import type desk from './locales/en/desk.json';

addTexts(import.meta.glob<TextFile>('./locales/*/*.json'));

declare module '@portage/i18n/resources' {
  interface Resources {
    desk: typeof desk;
  }
}
