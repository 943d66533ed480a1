// named here and not by each package's index alone: a bundler passes over an index that only hands on
import '@portage/address/texts';
import '@portage/domain/texts';
import '@portage/frame/texts';
import '@portage/furniture/texts';
import '@portage/kit/desk/texts';
import '@portage/kit/texts';
import '@portage/payments/texts';
import '@portage/person/texts';
import '@portage/session/texts';

import { addTexts, type TextFile } from '@portage/i18n';

import type bookings from './features/bookings/locales/en/bookings.json';
import type failed from './features/bookings/locales/en/failed.json';
import type order from './features/bookings/locales/en/order.json';
import type record from './features/bookings/locales/en/record.json';
import type change from './features/bookings/locales/en/change.json';
import type books from './features/books/locales/en/books.json';
import type calendar from './features/calendar/locales/en/calendar.json';
import type cards from './features/cards/locales/en/cards.json';
import type members from './features/members/locales/en/members.json';
import type audit from './features/audit/locales/en/audit.json';
import type batch from './features/invoices/locales/en/batch.json';
import type invoices from './features/invoices/locales/en/invoices.json';
import type jobs from './features/jobs/locales/en/jobs.json';
import type daySheet from './features/day-sheet/locales/en/daySheet.json';
import type dispatch from './features/dispatch/locales/en/dispatch.json';
import type discounts from './features/discounts/locales/en/discounts.json';
import type myJobs from './features/my-jobs/locales/en/myJobs.json';
import type mates from './features/mates/locales/en/mates.json';
import type partners from './features/partners/locales/en/partners.json';
import type requests from './features/quote-requests/locales/en/requests.json';
import type rates from './features/rates/locales/en/rates.json';
import type reconciliation from './features/reconciliation/locales/en/reconciliation.json';
import type trucks from './features/trucks/locales/en/trucks.json';
import type firstSteps from './features/first-steps/locales/en/firstSteps.json';
import type settings from './features/settings/locales/en/settings.json';
import type templates from './features/templates/locales/en/templates.json';
import type outbox from './features/outbox/locales/en/outbox.json';
import type messageTypes from './shell/messages/locales/en/messageTypes.json';
import type profile from './features/profile/locales/en/profile.json';
import type feed from './shell/feed/locales/en/feed.json';
import type keys from './shell/keys-sheet/locales/en/keys.json';
import type catalogue from './shell/catalogue/locales/en/catalogue.json';
import type crewJob from './shell/crew-job/locales/en/crewJob.json';
import type papers from './shell/papers/locales/en/papers.json';
import type sketch from './shell/map/locales/en/sketch.json';
import type shell from './shell/locales/en/shell.json';

// each feature's texts lie in its own folder, and are loaded when a page asks for them
addTexts(import.meta.glob<TextFile>('./**/locales/*/*.json'));

declare module '@portage/i18n/resources' {
  interface Resources {
    batch: typeof batch;
    bookings: typeof bookings;
    books: typeof books;
    calendar: typeof calendar;
    catalogue: typeof catalogue;
    change: typeof change;
    cards: typeof cards;
    crewJob: typeof crewJob;
    daySheet: typeof daySheet;
    discounts: typeof discounts;
    dispatch: typeof dispatch;
    failed: typeof failed;
    feed: typeof feed;
    firstSteps: typeof firstSteps;
    templates: typeof templates;
    outbox: typeof outbox;
    messageTypes: typeof messageTypes;
    mates: typeof mates;
    myJobs: typeof myJobs;
    members: typeof members;
    audit: typeof audit;
    invoices: typeof invoices;
    jobs: typeof jobs;
    keys: typeof keys;
    profile: typeof profile;
    order: typeof order;
    papers: typeof papers;
    partners: typeof partners;
    rates: typeof rates;
    reconciliation: typeof reconciliation;
    record: typeof record;
    requests: typeof requests;
    settings: typeof settings;
    shell: typeof shell;
    sketch: typeof sketch;
    trucks: typeof trucks;
  }
}
