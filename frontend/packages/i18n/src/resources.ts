import type bookings from './locales/en/bookings.json';
import type common from './locales/en/common.json';
import type confirmation from './locales/en/confirmation.json';
import type domain from './locales/en/domain.json';
import type guidelines from './locales/en/guidelines.json';
import type identity from './locales/en/identity.json';
import type locations from './locales/en/locations.json';
import type move from './locales/en/move.json';
import type payment from './locales/en/payment.json';
import type profile from './locales/en/profile.json';
import type quote from './locales/en/quote.json';
import type schedule from './locales/en/schedule.json';
import type start from './locales/en/start.json';

/** One namespace per feature; English is the source of the key names. A new feature adds one line here and three files. */
export interface Resources {
  bookings: typeof bookings;
  common: typeof common;
  confirmation: typeof confirmation;
  domain: typeof domain;
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

export const namespaces = [
  'bookings',
  'common',
  'confirmation',
  'domain',
  'guidelines',
  'identity',
  'locations',
  'move',
  'payment',
  'profile',
  'quote',
  'schedule',
  'start',
] as const satisfies (keyof Resources)[];

/** A key of the shared texts, for components that are handed their wording. */
export type TextKey = keyof typeof common;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: Resources;
    keySeparator: false;
    interpolationPrefix: '{';
    interpolationSuffix: '}';
    returnNull: false;
  }
}
