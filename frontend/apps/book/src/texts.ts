// a page's texts are asked for beside its code: the files of the packages are known before the code that uses them
import '@portage/address/texts';
import '@portage/domain/texts';
import '@portage/frame/texts';
import '@portage/furniture/texts';
import '@portage/kit/texts';
import '@portage/payments/texts';
import '@portage/person/texts';
import '@portage/session/texts';

import { addTexts, type TextFile } from '@portage/i18n';

import type ask from './booking/ask/locales/en/ask.json';
import type askForm from './booking/ask/locales/en/askForm.json';
import type checkout from './booking/checkout/locales/en/checkout.json';
import type edit from './booking/edit/locales/en/edit.json';
import type estimate from './booking/estimate/locales/en/estimate.json';
import type hold from './booking/hold/locales/en/hold.json';
import type wizard from './booking/wizard/locales/en/wizard.json';
import type account from './features/account/locales/en/account.json';
import type bookings from './features/bookings/locales/en/bookings.json';
import type confirmation from './features/confirmation/locales/en/confirmation.json';
import type guidelines from './features/guidelines/locales/en/guidelines.json';
import type identity from './features/identity/locales/en/identity.json';
import type locations from './features/locations/locales/en/locations.json';
import type move from './features/move/locales/en/move.json';
import type cardLink from './features/pay/locales/en/cardLink.json';
import type consent from './features/pay/locales/en/consent.json';
import type pay from './features/pay/locales/en/pay.json';
import type savedQuote from './features/pay/locales/en/savedQuote.json';
import type unsubscribe from './features/pay/locales/en/unsubscribe.json';
import type payment from './features/payment/locales/en/payment.json';
import type profile from './features/profile/locales/en/profile.json';
import type quote from './features/quote/locales/en/quote.json';
import type schedule from './features/schedule/locales/en/schedule.json';
import type start from './features/start/locales/en/start.json';
import type shell from './shell/locales/en/shell.json';

// the texts of each folder lie in it, and are loaded when a page asks for them
addTexts(import.meta.glob<TextFile>('./**/locales/*/*.json'));

declare module '@portage/i18n/resources' {
  interface Resources {
    account: typeof account;
    ask: typeof ask;
    askForm: typeof askForm;
    bookings: typeof bookings;
    checkout: typeof checkout;
    confirmation: typeof confirmation;
    edit: typeof edit;
    estimate: typeof estimate;
    guidelines: typeof guidelines;
    hold: typeof hold;
    identity: typeof identity;
    locations: typeof locations;
    move: typeof move;
    cardLink: typeof cardLink;
    consent: typeof consent;
    pay: typeof pay;
    payment: typeof payment;
    profile: typeof profile;
    quote: typeof quote;
    savedQuote: typeof savedQuote;
    schedule: typeof schedule;
    shell: typeof shell;
    start: typeof start;
    unsubscribe: typeof unsubscribe;
    wizard: typeof wizard;
  }
}
