// a page's texts are asked for beside its code: the files of the packages are known before the code that uses them
import '@portage/address/texts';
import '@portage/domain/texts';
import '@portage/furniture/texts';
import '@portage/payments/texts';

import { addTexts, type TextFile } from '@portage/i18n';

import type bookings from './features/bookings/locales/en/bookings.json';
import type confirmation from './features/confirmation/locales/en/confirmation.json';
import type guidelines from './features/guidelines/locales/en/guidelines.json';
import type identity from './features/identity/locales/en/identity.json';
import type locations from './features/locations/locales/en/locations.json';
import type move from './features/move/locales/en/move.json';
import type payment from './features/payment/locales/en/payment.json';
import type profile from './features/profile/locales/en/profile.json';
import type quote from './features/quote/locales/en/quote.json';
import type schedule from './features/schedule/locales/en/schedule.json';
import type start from './features/start/locales/en/start.json';

// each feature's texts lie in its own folder, and are loaded when a page asks for them
addTexts(import.meta.glob<TextFile>('./**/locales/*/*.json'));

declare module '@portage/i18n/resources' {
  interface Resources {
    bookings: typeof bookings;
    confirmation: typeof confirmation;
    guidelines: typeof guidelines;
    identity: typeof identity;
    locations: typeof locations;
    move: typeof move;
    payment: typeof payment;
    profile: typeof profile;
    quote: typeof quote;
    schedule: typeof schedule;
    start: typeof start;
  }
}
