import { addTexts, type TextFile } from '@portage/i18n';

import type furniture from './locales/en/furniture.json';

addTexts(import.meta.glob<TextFile>('./locales/*/*.json'));

declare module '@portage/i18n/resources' {
  interface Resources {
    furniture: typeof furniture;
  }
}
