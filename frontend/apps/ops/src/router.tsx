import { followRouter, pageLoader, profileQuery } from '@portage/frame';
import { createRootRoute, createRoute, createRouter, redirect, type RouterHistory } from '@tanstack/react-router';

import { Root } from './root.tsx';
import './texts.ts';
import { areas } from './shell/areas.ts';
import { CrewLayout } from './shell/crew-layout.tsx';
import { DeskLayout } from './shell/desk-layout.tsx';
import { hubsQuery } from './shell/hubs.ts';
import { NotFoundPage } from './shell/not-found-page.tsx';
import { RouteErrorPage } from './shell/route-error-page.tsx';
import { readSeen } from './shell/seen.ts';
import { accessToken } from './shell/session.ts';
import type { MenuEntry } from './shell/use-menu.ts';

const page = pageLoader(accessToken);

const rootRoute = createRootRoute({ component: Root, notFoundComponent: NotFoundPage, errorComponent: RouteErrorPage });

/** Every page of the desk: sidebar, and only for people of the company. */
const desk = createRoute({ getParentRoute: () => rootRoute, id: 'desk', component: DeskLayout });

const home = createRoute({
  getParentRoute: () => desk,
  path: '/',
  beforeLoad: () => {
    // without network only a mate's pages open
    if (!navigator.onLine && readSeen()) throw redirect({ to: '/my-jobs', replace: true });
    throw redirect({ to: '/bookings', replace: true, state: { home: true } });
  },
});
/** What a page reads out of the address it checks itself, value by value: what it does not know stays as it is. */
const anySearch = (search: Record<string, unknown>) => search;

const bookings = createRoute({
  getParentRoute: () => desk,
  path: '/bookings',
  validateSearch: anySearch,
  loader: page(['bookings', 'record', 'failed', 'crewJob', 'papers', 'domain', 'address', 'messageTypes', 'sketch']),
  staticData: { menu: areas.bookings },
}).lazy(() => import('./routes/bookings.tsx').then((module) => module.Route));

const booking = createRoute({
  getParentRoute: () => desk,
  path: '/bookings/$id',
  loader: page(['bookings', 'record', 'failed', 'crewJob', 'papers', 'domain', 'address', 'messageTypes', 'sketch']),
}).lazy(() => import('./features/bookings/record-page.tsx').then((module) => module.Route));

const newBooking = createRoute({
  getParentRoute: () => desk,
  path: '/bookings/new',
  validateSearch: anySearch,
  loader: page(['order', 'change', 'bookings', 'record', 'domain', 'address', 'furniture', 'person']),
}).lazy(() => import('./features/bookings/new-page.tsx').then((module) => module.Route));

const changeBooking = createRoute({
  getParentRoute: () => desk,
  path: '/bookings/$id/change',
  loader: page(['bookings', 'record', 'change', 'order', 'domain', 'address', 'furniture']),
}).lazy(() => import('./features/bookings/change-page.tsx').then((module) => module.Route));

/** An area of the specification that has no page yet. */
function planned<Path extends string>(path: Path, menu: Omit<MenuEntry, 'planned'>) {
  return createRoute({
    getParentRoute: () => desk,
    path,
    staticData: { menu: { ...menu, planned: true } },
  }).lazy(() => import('./shell/planned-page.tsx').then((module) => module.Route));
}
const card = createRoute({
  getParentRoute: () => desk,
  path: '/card',
  validateSearch: ({ booking }: Record<string, unknown>): { booking?: string } =>
    typeof booking === 'string' ? { booking } : {},
  loader: page(['cards', 'payments']),
  staticData: { menu: areas.card },
}).lazy(() => import('./features/cards/card-page.tsx').then((module) => module.Route));
const failedCharges = createRoute({
  getParentRoute: () => desk,
  path: '/failed-charges',
  validateSearch: anySearch,
  loader: page(['failed', 'record', 'domain']),
  staticData: { menu: areas.failedCharges },
}).lazy(() => import('./features/bookings/failed-page.tsx').then((module) => module.Route));
const mates = createRoute({
  getParentRoute: () => desk,
  path: '/mates',
  validateSearch: anySearch,
  loader: page(['mates', 'catalogue', 'domain', 'address', 'feed']),
  staticData: { menu: areas.mates },
}).lazy(() => import('./features/mates/mates-page.tsx').then((module) => module.Route));
const trucks = createRoute({
  getParentRoute: () => desk,
  path: '/trucks',
  validateSearch: anySearch,
  loader: page(['trucks', 'catalogue', 'domain', 'address']),
  staticData: { menu: areas.trucks },
}).lazy(() => import('./features/trucks/trucks-page.tsx').then((module) => module.Route));
const partners = createRoute({
  getParentRoute: () => desk,
  path: '/partners',
  validateSearch: anySearch,
  loader: page(['partners', 'catalogue', 'domain', 'address']),
  staticData: { menu: areas.partners },
}).lazy(() => import('./features/partners/partners-page.tsx').then((module) => module.Route));
const discounts = createRoute({
  getParentRoute: () => desk,
  path: '/discounts',
  validateSearch: anySearch,
  loader: page(['discounts', 'catalogue', 'domain', 'address']),
  staticData: { menu: areas.discounts },
}).lazy(() => import('./features/discounts/discounts-page.tsx').then((module) => module.Route));
const rates = createRoute({
  getParentRoute: () => desk,
  path: '/rates',
  validateSearch: anySearch,
  loader: page(['rates', 'catalogue']),
  staticData: { menu: areas.rates },
}).lazy(() => import('./features/rates/rates-page.tsx').then((module) => module.Route));
const editRate = createRoute({
  getParentRoute: () => desk,
  path: '/rates/$id/edit',
  loader: page(['rates', 'domain']),
}).lazy(() => import('./features/rates/edit-page.tsx').then((module) => module.Route));
const invoices = createRoute({
  getParentRoute: () => desk,
  path: '/invoices',
  validateSearch: anySearch,
  loader: page(['invoices', 'papers', 'domain']),
  staticData: { menu: areas.invoices },
}).lazy(() => import('./features/invoices/invoices-page.tsx').then((module) => module.Route));
const partnerMoves = createRoute({
  getParentRoute: () => desk,
  path: '/invoices/partner/$id',
  validateSearch: anySearch,
  loader: page(['batch', 'papers', 'domain']),
}).lazy(() => import('./features/invoices/partner-moves-page.tsx').then((module) => module.Route));
const batchInvoice = createRoute({
  getParentRoute: () => desk,
  path: '/invoices/batch/$id',
  loader: page(['batch', 'papers', 'domain']),
}).lazy(() => import('./features/invoices/batch-page.tsx').then((module) => module.Route));
const calendar = createRoute({
  getParentRoute: () => desk,
  path: '/calendar',
  validateSearch: anySearch,
  loader: page(['calendar', 'catalogue', 'feed'], () => [hubsQuery]),
  staticData: { menu: areas.calendar },
}).lazy(() => import('./features/calendar/calendar-page.tsx').then((module) => module.Route));
const reconciliation = createRoute({
  getParentRoute: () => desk,
  path: '/reconciliation',
  loader: page(['reconciliation']),
  staticData: { menu: areas.reconciliation },
}).lazy(() => import('./features/reconciliation/reconciliation-page.tsx').then((module) => module.Route));
const books = createRoute({
  getParentRoute: () => desk,
  path: '/books',
  validateSearch: anySearch,
  loader: page(['books']),
  staticData: { menu: areas.books },
}).lazy(() => import('./features/books/books-page.tsx').then((module) => module.Route));
const dispatch = createRoute({
  getParentRoute: () => desk,
  path: '/dispatch',
  validateSearch: anySearch,
  loader: page(['dispatch', 'domain', 'sketch', 'catalogue'], () => [hubsQuery]),
  staticData: { menu: areas.dispatch },
}).lazy(() => import('./features/dispatch/dispatch-page.tsx').then((module) => module.Route));
const daySheet = createRoute({
  getParentRoute: () => desk,
  path: '/dispatch/sheet',
  validateSearch: anySearch,
  loader: page(['daySheet', 'crewJob', 'domain'], () => [hubsQuery]),
}).lazy(() => import('./features/day-sheet/day-sheet-page.tsx').then((module) => module.Route));
const templates = createRoute({
  getParentRoute: () => desk,
  path: '/templates',
  validateSearch: anySearch,
  loader: page(['templates', 'messageTypes']),
  staticData: { menu: areas.templates },
}).lazy(() => import('./features/templates/templates-page.tsx').then((module) => module.Route));
const template = createRoute({
  getParentRoute: () => desk,
  path: '/templates/$messageType/$language',
  loader: page(['templates', 'messageTypes']),
}).lazy(() => import('./features/templates/template-page.tsx').then((module) => module.Route));
const messages = createRoute({
  getParentRoute: () => desk,
  path: '/messages',
  validateSearch: anySearch,
  loader: page(['outbox', 'messageTypes']),
  staticData: { menu: areas.messages },
}).lazy(() => import('./features/outbox/messages-page.tsx').then((module) => module.Route));
const requests = createRoute({
  getParentRoute: () => desk,
  path: '/quote-requests',
  validateSearch: anySearch,
  loader: page(['requests']),
  staticData: { menu: areas.requests },
}).lazy(() => import('./features/quote-requests/requests-page.tsx').then((module) => module.Route));
const request = createRoute({
  getParentRoute: () => desk,
  path: '/quote-requests/$id',
  loader: page(['requests', 'domain', 'person']),
}).lazy(() => import('./features/quote-requests/request-page.tsx').then((module) => module.Route));
/** In the order of the menu, with those among them that have their page. */
const later = [
  requests,
  request,
  dispatch,
  daySheet,
  calendar,
  planned('/tasks', areas.tasks),
  mates,
  trucks,
  partners,
  discounts,
  rates,
  editRate,
  card,
  failedCharges,
  invoices,
  partnerMoves,
  batchInvoice,
  reconciliation,
  books,
  messages,
  templates,
  template,
  planned('/sms', areas.smsTasks),
  planned('/sms-reports', areas.smsReports),
  planned('/automations', areas.automations),
  planned('/feedback', areas.feedback),
] as const;
const firstSteps = createRoute({
  getParentRoute: () => desk,
  path: '/first-steps',
  loader: page(['firstSteps']),
  staticData: { menu: areas.firstSteps },
}).lazy(() => import('./features/first-steps/first-steps-page.tsx').then((module) => module.Route));
const settings = createRoute({
  getParentRoute: () => desk,
  path: '/settings',
  validateSearch: anySearch,
  loader: page(['settings', 'catalogue', 'domain']),
  staticData: { menu: areas.settings },
}).lazy(() => import('./features/settings/settings-page.tsx').then((module) => module.Route));
const members = createRoute({
  getParentRoute: () => desk,
  path: '/members',
  validateSearch: anySearch,
  loader: page(['members']),
  staticData: { menu: areas.members },
}).lazy(() => import('./features/members/members-page.tsx').then((module) => module.Route));
const audit = createRoute({
  getParentRoute: () => desk,
  path: '/audit',
  validateSearch: anySearch,
  loader: page(['audit', 'domain']),
  staticData: { menu: areas.audit },
}).lazy(() => import('./features/audit/audit-page.tsx').then((module) => module.Route));
const jobs = createRoute({
  getParentRoute: () => desk,
  path: '/jobs',
  validateSearch: anySearch,
  loader: page(['jobs']),
  staticData: { menu: areas.jobs },
}).lazy(() => import('./features/jobs/jobs-page.tsx').then((module) => module.Route));

const profile = createRoute({
  getParentRoute: () => desk,
  path: '/profile',
  loader: page(['profile'], () => [profileQuery]),
  staticData: { menu: areas.profile },
}).lazy(() => import('./features/profile/profile-page.tsx').then((module) => module.Route));
const myProfile = createRoute({
  getParentRoute: () => desk,
  path: '/my-profile',
  beforeLoad: () => {
    throw redirect({ to: '/profile', replace: true });
  },
});

/** Pages of a mate, on their telephone: without the desk's sidebar, and for mates as well as staff. */
const crew = createRoute({ getParentRoute: () => rootRoute, id: 'crew', component: CrewLayout });
const myJobs = createRoute({
  getParentRoute: () => crew,
  path: '/my-jobs',
  loader: page(['myJobs', 'crewJob', 'domain', 'feed']),
}).lazy(() => import('./features/my-jobs/my-jobs-page.tsx').then((module) => module.Route));
const myJob = createRoute({
  getParentRoute: () => crew,
  path: '/my-jobs/$id',
  loader: page(['myJobs', 'crewJob', 'domain']),
}).lazy(() => import('./features/my-jobs/job-page.tsx').then((module) => module.Route));

const callback = createRoute({ getParentRoute: () => rootRoute, path: '/callback' }).lazy(() =>
  import('./routes/callback.tsx').then((module) => module.Route),
);
/** Pages without the sidebar. */
const plain = [
  createRoute({ getParentRoute: () => rootRoute, path: '/signin' }).lazy(() =>
    import('./shell/plain-pages.tsx').then((module) => module.signIn),
  ),
  createRoute({ getParentRoute: () => rootRoute, path: '/signup' }).lazy(() =>
    import('./shell/plain-pages.tsx').then((module) => module.signUp),
  ),
  createRoute({ getParentRoute: () => rootRoute, path: '/forgotpassword' }).lazy(() =>
    import('./shell/plain-pages.tsx').then((module) => module.password),
  ),
  createRoute({ getParentRoute: () => rootRoute, path: '/resetpassword' }).lazy(() =>
    import('./shell/plain-pages.tsx').then((module) => module.password),
  ),
  createRoute({ getParentRoute: () => rootRoute, path: '/500' }).lazy(() =>
    import('./shell/plain-pages.tsx').then((module) => module.serverError),
  ),
  createRoute({ getParentRoute: () => rootRoute, path: '/signed-in' }).lazy(() =>
    import('./shell/plain-pages.tsx').then((module) => module.signedIn),
  ),
  createRoute({ getParentRoute: () => rootRoute, path: '/404', component: NotFoundPage }),
] as const;

const routeTree = rootRoute.addChildren([
  desk.addChildren([
    home,
    bookings,
    newBooking,
    booking,
    changeBooking,
    ...later,
    firstSteps,
    settings,
    members,
    audit,
    jobs,
    profile,
    myProfile,
  ]),
  crew.addChildren([myJobs, myJob]),
  callback,
  ...plain,
]);

export function createAppRouter(history?: RouterHistory) {
  const router = createRouter({
    routeTree,
    basepath: '/dashboard',
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
    /** Nobody asked for this page: it is where the bare address of the desk leads. */
    home?: boolean;
  }
  interface StaticDataRouteOption {
    /** Puts the page into the menu beside every page, in the order of the route tree. */
    menu?: MenuEntry;
  }
}
