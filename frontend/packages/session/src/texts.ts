import { addTexts, type TextFile } from '@portage/i18n';

import type session from './locales/en/session.json';

addTexts(import.meta.glob<TextFile>('./locales/*/*.json'));

declare module '@portage/i18n/resources' {
  interface Resources {
    session: typeof session;
  }
}
