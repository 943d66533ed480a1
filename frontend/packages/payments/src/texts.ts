import { addTexts, type TextFile } from '@portage/i18n';

import type payments from './locales/en/payments.json';

addTexts(import.meta.glob<TextFile>('./locales/*/*.json'));

declare module '@portage/i18n/resources' {
  interface Resources {
    payments: typeof payments;
  }
}
