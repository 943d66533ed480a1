import { followRouter, pageLoader, profileQuery } from '@portage/frame';
import { IconId } from '@tabler/icons-react';
import { createRootRoute, createRoute, createRouter, redirect, type RouterHistory } from '@tanstack/react-router';

import { Root } from './root.tsx';
import './texts.ts';
import { DeskLayout } from './shell/desk-layout.tsx';
import { NotFoundPage } from './shell/not-found-page.tsx';
import type { MenuEntry } from './shell/sidebar.tsx';
import { RouteErrorPage } from './shell/route-error-page.tsx';
import { accessToken } from './shell/session.ts';

const page = pageLoader(accessToken);

const rootRoute = createRootRoute({ component: Root, notFoundComponent: NotFoundPage, errorComponent: RouteErrorPage });

/** Every page of the desk: sidebar, and only for people of the company. */
const desk = createRoute({ getParentRoute: () => rootRoute, id: 'desk', component: DeskLayout });

const home = createRoute({
  getParentRoute: () => desk,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/profile', replace: true });
  },
});
const profile = createRoute({
  getParentRoute: () => desk,
  path: '/profile',
  loader: page(['profile'], () => [profileQuery]),
  staticData: { menu: { title: 'person:title', icon: IconId } },
}).lazy(() => import('./features/profile/profile-page.tsx').then((module) => module.Route));
const callback = createRoute({ getParentRoute: () => rootRoute, path: '/callback' }).lazy(() =>
  import('./routes/callback.tsx').then((module) => module.Route),
);

const routeTree = rootRoute.addChildren([desk.addChildren([home, profile]), callback]);

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
  interface StaticDataRouteOption {
    /** Puts the page into the menu beside every page, in the order of the route tree. */
    menu?: MenuEntry;
  }
}
