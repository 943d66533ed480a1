import { addTexts, type TextFile } from '@portage/i18n';

import type kit from './locales/en/kit.json';

addTexts(import.meta.glob<TextFile>('./locales/*/*.json'));

declare module '@portage/i18n/resources' {
  interface Resources {
    kit: typeof kit;
  }
}
