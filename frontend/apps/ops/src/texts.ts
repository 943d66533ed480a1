// named here and not by each package's index alone: a bundler passes over an index that only hands on
import '@portage/frame/texts';
import '@portage/kit/texts';
import '@portage/person/texts';
import '@portage/session/texts';

import { addTexts, type TextFile } from '@portage/i18n';

import type profile from './features/profile/locales/en/profile.json';
import type shell from './shell/locales/en/shell.json';

// each feature's texts lie in its own folder, and are loaded when a page asks for them
addTexts(import.meta.glob<TextFile>('./**/locales/*/*.json'));

declare module '@portage/i18n/resources' {
  interface Resources {
    profile: typeof profile;
    shell: typeof shell;
  }
}
