import { followRouter, pageLoader, profileQuery } from '@portage/frame';
import { catalogueQuery } from '@portage/furniture';
import {
  createRootRoute,
  createRoute,
  createRouter,
  parseSearchWith,
  redirect,
  type RouterHistory,
  stringifySearchWith,
} from '@tanstack/react-router';

import { bookingQuery, previousQuery } from './booking/checkout/booking-query.ts';
import type { AddressRefusal } from './booking/draft/address-refusal.ts';
import { draftStore } from './booking/draft/draft-store.ts';
import { firstMissing, type WizardPath } from './booking/draft/steps.ts';
import { rateCardQuery } from './booking/estimate/rate-card.ts';
import { WizardLayout } from './booking/wizard/wizard-layout.tsx';
import { cardLinkQuery } from './features/pay/card-link-query.ts';
import { consentQuery } from './features/pay/consent-query.ts';
import { linkQuery } from './features/pay/link-query.ts';
import { quoteOfLinkQuery } from './features/pay/quote-of-link-query.ts';
import { unsubscribeQuery } from './features/pay/unsubscribe-query.ts';
import { StartPage } from './features/start/start-page.tsx';
import { Root } from './root.tsx';
import './texts.ts';
import { NotFoundPage } from './shell/not-found-page.tsx';
import { RouteErrorPage } from './shell/route-error-page.tsx';
import { accessToken } from './shell/session.ts';
import { SiteLayout } from './shell/site-layout.tsx';

const page = pageLoader(accessToken);

const rootRoute = createRootRoute({ component: Root, notFoundComponent: NotFoundPage, errorComponent: RouteErrorPage });

/** Pages of the booking itself: stepper, running estimate, leave guard. `edit` names the booking being edited. */
const wizard = createRoute({
  getParentRoute: () => rootRoute,
  id: 'wizard',
  component: WizardLayout,
  validateSearch: (search: Record<string, unknown>): { edit?: string } =>
    typeof search['edit'] === 'string' && search['edit'] ? { edit: search['edit'] } : {},
});

/** Every other page: header and outlet only. */
const site = createRoute({ getParentRoute: () => rootRoute, id: 'site', component: SiteLayout });

/** Sends a deep link without its data to the first incomplete step, which says why. */
function guard(path: WizardPath) {
  return ({ search }: { search: { edit?: string } }) => {
    if (search.edit) return; // the booking's own data is on its way
    const missing = firstMissing(draftStore.get(), path);
    if (missing) throw redirect({ to: missing, replace: true, state: { incomplete: true } });
  };
}

const start = createRoute({ getParentRoute: () => wizard, path: '/', component: StartPage });
const locations = createRoute({
  getParentRoute: () => wizard,
  path: '/locations',
  loader: page(['locations']),
}).lazy(() => import('./routes/locations.tsx').then((module) => module.Route));
const moveType = createRoute({
  getParentRoute: () => wizard,
  path: '/move-type',
  loader: page(['move', 'furniture'], () => [catalogueQuery, rateCardQuery]),
  beforeLoad: guard('/move-type'),
}).lazy(() => import('./routes/move-type.tsx').then((module) => module.Route));
const schedule = createRoute({
  getParentRoute: () => wizard,
  path: '/schedule',
  loader: page(['schedule', 'hold']),
  beforeLoad: guard('/schedule'),
}).lazy(() => import('./routes/schedule.tsx').then((module) => module.Route));
const quote = createRoute({
  getParentRoute: () => wizard,
  path: '/quote',
  loader: page(['quote', 'edit', 'checkout', 'person'], () => [catalogueQuery]),
  beforeLoad: guard('/quote'),
}).lazy(() => import('./routes/quote.tsx').then((module) => module.Route));
const guidelines = createRoute({
  getParentRoute: () => wizard,
  path: '/guidelines',
  loader: page(['guidelines']),
  beforeLoad: guard('/guidelines'),
}).lazy(() => import('./routes/guidelines.tsx').then((module) => module.Route));
const callback = createRoute({ getParentRoute: () => site, path: '/callback' }).lazy(() =>
  import('./routes/callback.tsx').then((module) => module.Route),
);

const payment = createRoute({
  getParentRoute: () => wizard,
  path: '/payment',
  loader: page(['payment', 'payments', 'hold', 'checkout'], () => [profileQuery]),
}).lazy(() => import('./routes/payment.tsx').then((module) => module.Route));

/** A booking named in the address, so that the page survives a reload. */
const bookingInSearch = (search: Record<string, unknown>): { booking?: string } =>
  typeof search['booking'] === 'string' && search['booking'] ? { booking: search['booking'] } : {};

const confirmation = createRoute({
  getParentRoute: () => site,
  path: '/confirmation',
  loader: page(['confirmation', 'checkout'], ({ deps: { booking } }: { deps: { booking?: string } }) =>
    booking ? [bookingQuery(booking), catalogueQuery] : [catalogueQuery],
  ),
  validateSearch: bookingInSearch,
  loaderDeps: ({ search }) => search,
}).lazy(() => import('./routes/confirmation.tsx').then((module) => module.Route));
const thankYou = createRoute({
  getParentRoute: () => site,
  path: '/thank-you',
  loader: page(['confirmation', 'checkout']),
}).lazy(() => import('./routes/thank-you.tsx').then((module) => module.Route));
// the account pages of the embedded provider read their query themselves: it is not ours to parse
const signin = createRoute({ getParentRoute: () => site, path: '/signin', loader: page(['identity', 'person']) }).lazy(
  () => import('./routes/signin.tsx').then((module) => module.Route),
);
const signup = createRoute({ getParentRoute: () => site, path: '/signup', loader: page(['identity', 'person']) }).lazy(
  () => import('./routes/signup.tsx').then((module) => module.Route),
);
const forgotPassword = createRoute({
  getParentRoute: () => site,
  path: '/forgotpassword',
  loader: page(['identity', 'person']),
}).lazy(() => import('./routes/forgotpassword.tsx').then((module) => module.Route));
const resetPassword = createRoute({
  getParentRoute: () => site,
  path: '/resetpassword',
  loader: page(['identity', 'person']),
}).lazy(() => import('./routes/resetpassword.tsx').then((module) => module.Route));
/** Opened from a mail, by whoever has it: nobody has to sign in. */
const pay = createRoute({
  getParentRoute: () => site,
  path: '/pay/$token',
  loader: page(['pay', 'payments', 'checkout'], ({ params }: { params: { token: string } }) => [
    linkQuery(params.token),
  ]),
}).lazy(() => import('./routes/pay.tsx').then((module) => module.Route));
const notFound = createRoute({
  getParentRoute: () => rootRoute,
  path: '/404',
  component: NotFoundPage,
});
const serverError = createRoute({ getParentRoute: () => site, path: '/500' }).lazy(() =>
  import('./routes/500.tsx').then((module) => module.Route),
);

const card = createRoute({
  getParentRoute: () => site,
  path: '/card/$token',
  loader: page(['cardLink', 'pay', 'payments', 'checkout'], ({ params }: { params: { token: string } }) => [
    cardLinkQuery(params.token),
  ]),
}).lazy(() => import('./routes/card.tsx').then((module) => module.Route));

const consent = createRoute({
  getParentRoute: () => site,
  path: '/consent/$token',
  loader: page(['consent', 'pay', 'checkout'], ({ params }: { params: { token: string } }) => [
    consentQuery(params.token),
  ]),
}).lazy(() => import('./routes/consent.tsx').then((module) => module.Route));

const saved = createRoute({
  getParentRoute: () => site,
  path: '/saved/$token',
  loader: page(['savedQuote', 'pay'], ({ params }: { params: { token: string } }) => [quoteOfLinkQuery(params.token)]),
}).lazy(() => import('./routes/saved.tsx').then((module) => module.Route));

const unsubscribe = createRoute({
  getParentRoute: () => site,
  path: '/unsubscribe/$token',
  loader: page(['unsubscribe'], ({ params }: { params: { token: string } }) => [unsubscribeQuery(params.token)]),
}).lazy(() => import('./routes/unsubscribe.tsx').then((module) => module.Route));

/** The person's own pages: menu and sign-in question around them. */
const account = createRoute({
  getParentRoute: () => rootRoute,
  id: 'account',
  loader: page(['account', 'person']),
}).lazy(() => import('./routes/account.tsx').then((module) => module.Route));
const profile = createRoute({
  getParentRoute: () => account,
  path: '/profile',
  loader: page(['profile', 'checkout', 'payments', 'person'], () => [profileQuery, previousQuery(1)]),
}).lazy(() => import('./routes/profile.tsx').then((module) => module.Route));
const myProfile = createRoute({
  getParentRoute: () => rootRoute,
  path: '/my-profile',
  beforeLoad: () => {
    throw redirect({ to: '/profile', replace: true });
  },
});
const bookings = createRoute({
  getParentRoute: () => account,
  path: '/profile/bookings',
  loader: page(['bookings', 'checkout'], ({ deps: { page: at } }: { deps: { page: number } }) => [previousQuery(at)]),
  validateSearch: (search: Record<string, unknown>): { page?: number } => {
    const at = Number(search['page']);
    return Number.isInteger(at) && at > 1 && at < 100_000 ? { page: at } : {};
  },
  loaderDeps: ({ search: { page: at = 1 } }) => ({ page: at }),
}).lazy(() => import('./routes/profile-bookings.tsx').then((module) => module.Route));
const booking = createRoute({
  getParentRoute: () => account,
  path: '/profile/bookings/$bookingId',
  loader: page(['bookings', 'checkout'], ({ params }: { params: { bookingId: string } }) => [
    bookingQuery(params.bookingId),
    catalogueQuery,
  ]),
}).lazy(() => import('./routes/profile-booking.tsx').then((module) => module.Route));
const settings = createRoute({
  getParentRoute: () => account,
  path: '/profile/settings',
  loader: page(['profile', 'identity', 'payments', 'person'], () => [profileQuery]),
}).lazy(() => import('./routes/profile-settings.tsx').then((module) => module.Route));
const userInfo = createRoute({
  getParentRoute: () => account,
  path: '/user-info',
  loader: page(['profile', 'address', 'person'], () => [profileQuery]),
}).lazy(() => import('./routes/user-info.tsx').then((module) => module.Route));

const routeTree = rootRoute.addChildren([
  wizard.addChildren([start, locations, moveType, schedule, quote, guidelines, payment]),
  site.addChildren([
    callback,
    confirmation,
    thankYou,
    signin,
    signup,
    forgotPassword,
    resetPassword,
    pay,
    card,
    consent,
    saved,
    unsubscribe,
    serverError,
  ]),
  account.addChildren([profile, bookings, booking, settings, userInfo]),
  myProfile,
  notFound,
]);

export function createAppRouter(history?: RouterHistory) {
  const router = createRouter({
    routeTree,
    // plain text both ways: read as JSON, a token such as 123e4567 would become a number
    parseSearch: parseSearchWith((value) => value),
    stringifySearch: stringifySearchWith(String),
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    ...(history ? { history } : {}),
  });
  followRouter(router);
  return router;
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
  interface HistoryState {
    /** The page asked for needs an earlier step first; the page shown instead says so. */
    incomplete?: boolean;
    /** An address that the server did not take, for as long as `place` is still the one chosen. */
    refused?: AddressRefusal & { place: string };
  }
}
