import { configureClient } from '@portage/api';
import { App, queryClient } from '@portage/frame';
import { changeLanguage, currentLanguage, type FirstTexts, startI18n } from '@portage/i18n';
import { toasts } from '@portage/kit/desk/toasts';
import { accountHandlers, deskHandlers, freshAccount, freshDesk, mockConfig } from '@portage/mock-api';
import { createMemoryHistory } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

import firstTexts from '../first-texts.json';
import { createAppRouter } from '../router.tsx';
import { accessToken, forgetProviderForTest, renew, sessionEnded, setSessionForTest } from '../shell/session.ts';

const issuer = 'http://localhost:8080/identity';
/** The account that answers, new in each test, and what was saved of it. */
export const desk = {
  account: freshAccount(),
  /** What the back office's calls answer from. */
  world: freshDesk(),
  saved: [] as { body: unknown; version: string | null }[],
};

export const server = setupServer();

/** Starts the stand-in server and a new account around every test of the file. */
export function useDesk(): void {
  beforeAll(async () => {
    server.listen({ onUnhandledRequest: 'error' });
    configureClient({ accessToken, renew, sessionEnded, language: currentLanguage });
    await startI18n(firstTexts as FirstTexts);
  });
  beforeEach(async () => {
    localStorage.clear();
    sessionStorage.clear();
    queryClient.clear();
    setSessionForTest(null);
    forgetProviderForTest();
    await changeLanguage('en');
    desk.saved = [];
    desk.account = freshAccount();
    desk.world = freshDesk();
    server.use(
      http.get('*/api/config', () => HttpResponse.json({ ...mockConfig, issuer })),
      http.get('*/identity/.well-known/openid-configuration', () =>
        HttpResponse.json({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          end_session_endpoint: `${issuer}/end`,
        }),
      ),
      http.put('*/api/profiles/', async ({ request }) => {
        const body = (await request.json()) as object;
        desk.saved.push({ body, version: request.headers.get('If-Match') });
        desk.account.profile = { ...desk.account.profile, ...body, version: desk.account.profile.version + 1 };
        return HttpResponse.json(desk.account.profile);
      }),
      ...deskHandlers(desk.world),
      ...accountHandlers(desk.account),
    );
  });
  afterEach(() => {
    server.resetHandlers();
    // more than three wait for their turn, and no test sees those of the one before; "acted" sends nothing
    for (const { id } of toasts.all()) toasts.end(id, 'acted');
  });
  afterAll(() => server.close());
}

export function signedInAs(role: string, sub = 'user-1', claims: Record<string, unknown> = {}): void {
  desk.account.profile = { ...desk.account.profile, role };
  setSessionForTest({
    accessToken: 'token-1',
    refreshToken: null,
    idToken: '',
    expiresAt: Date.now() + 3_600_000,
    claims: { sub, email: 'ana@example.test', ...claims },
  });
}

export function open(path: string) {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [`/dashboard${path}`] }));
  render(<App router={router} test />);
  return { router, user: userEvent.setup() };
}
