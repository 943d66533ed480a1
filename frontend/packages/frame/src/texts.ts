import { addTexts, type TextFile } from '@portage/i18n';

import type frame from './locales/en/frame.json';

addTexts(import.meta.glob<TextFile>('./locales/*/*.json'));

declare module '@portage/i18n/resources' {
  interface Resources {
    frame: typeof frame;
  }
}
