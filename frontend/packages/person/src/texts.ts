import { addTexts, type TextFile } from '@portage/i18n';

import type person from './locales/en/person.json';

addTexts(import.meta.glob<TextFile>('./locales/*/*.json'));

declare module '@portage/i18n/resources' {
  interface Resources {
    person: typeof person;
  }
}
