import { leaveFor, queryClient } from '@portage/frame';
import { accountHandlers, freshAccount, problem } from '@portage/mock-api';
import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi, onTestFinished } from 'vitest';

import { draftStore } from '../booking/draft/draft-store.ts';
import { emptyDraft } from '../booking/draft/draft.ts';
import { changeEnd } from '../booking/draft/ends.ts';
import { accessToken, restoreSession, setSessionForTest, signIn } from '../shell/session.ts';
import { renderApp, server, signInForTest, useApp, withDate } from './render-app.tsx';

vi.mock('../../../../packages/frame/src/leave.ts', () => ({ leaveFor: vi.fn() }));

useApp();

const issuer = 'http://localhost:8080/identity';
const discovery = () =>
  http.get('*/identity/.well-known/openid-configuration', () =>
    HttpResponse.json({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      end_session_endpoint: `${issuer}/end`,
    }),
  );
/** The provider says no: the session has ended at its side. */
const providerRefuses = () =>
  server.use(
    http.post('*/identity/token', () => HttpResponse.json({ error: 'invalid_grant' }, { status: 400 })),
    http.get('*/identity/authorize', () => HttpResponse.json({ error: 'login_required' })),
  );
const apiRefuses = () => server.use(http.get('*/api/profiles/', () => problem(401, 'unauthenticated', '')));
const elsewhere = (key: string, newValue: string | null) =>
  act(() => {
    dispatchEvent(new StorageEvent('storage', { key, newValue }));
  });
const ended = 'Your session has ended.';
const wentTo = () => new URL(String(vi.mocked(leaveFor).mock.calls.at(-1)?.[0]), location.origin);

beforeEach(async () => {
  vi.mocked(leaveFor).mockReset();
  const { forgetProviderForTest } = await import('../shell/session.ts');
  forgetProviderForTest();
  server.use(discovery(), ...accountHandlers(freshAccount()));
});

describe('a session that has ended and cannot be renewed', () => {
  it.each([
    ['the token is refused', Date.now() + 3_600_000],
    ['the token has run out', Date.now() - 1000],
  ])('ends on the page when %s, is said, keeps the draft and leads back', async (_, expiresAt) => {
    apiRefuses();
    providerRefuses();
    setSessionForTest({
      accessToken: 'old',
      refreshToken: 'refresh-1',
      idToken: '',
      expiresAt,
      claims: { sub: 'user-1', email: 'ana@example.test' },
    });
    const { user } = await renderApp('/payment', { draft: { ...withDate, guidelinesAgreed: true } });
    expect(await screen.findByText(ended)).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Profile' })).toBeNull();
    await screen.findByRole('heading', { name: 'You will need to login to continue with this page.' });
    expect(draftStore.get()).toMatchObject({ date: '2027-02-17', selectedFurnitures: withDate.selectedFurnitures });
    const notices = within(screen.getByRole('region', { name: 'Notices' }));
    await user.click(notices.getByRole('button', { name: 'Sign In' }));
    await waitFor(() => expect(leaveFor).toHaveBeenCalled());
    expect(wentTo().pathname).toBe('/identity/authorize');
    const pending = Object.entries(sessionStorage).find(([key]) => key.startsWith('portage.oidc.'));
    expect(JSON.parse(String(pending?.[1]))).toMatchObject({ returnTo: '/payment' });
  });

  it('does not end because nobody could be asked', async () => {
    apiRefuses();
    server.use(
      http.post('*/identity/token', () => HttpResponse.error()),
      http.get('*/identity/authorize', () => HttpResponse.error()),
    );
    setSessionForTest({
      accessToken: 'old',
      refreshToken: 'refresh-1',
      idToken: '',
      expiresAt: Date.now() - 1000,
      claims: { sub: 'user-1' },
    });
    await renderApp('/profile/settings');
    expect(await screen.findByText(/We could not reach the server/, {}, { timeout: 12_000 })).toBeVisible();
    expect(screen.queryByText(ended)).toBeNull();
    expect(screen.getByRole('link', { name: 'Profile' })).toBeVisible();
  });

  it('never sends a refresh token again whose answer got lost: used twice, it would end the session', async () => {
    let sent = 0;
    server.use(
      http.post('*/identity/token', () => {
        sent += 1;
        return HttpResponse.error();
      }),
      http.get('*/identity/authorize', () => HttpResponse.error()),
    );
    setSessionForTest({
      accessToken: 'old',
      refreshToken: 'refresh-1',
      idToken: '',
      expiresAt: Date.now() - 1000,
      claims: { sub: 'user-1' },
    });
    await expect(accessToken()).rejects.toBeInstanceOf(Error);
    await expect(accessToken()).rejects.toBeInstanceOf(Error);
    expect(sent).toBe(1);
  });

  it('ends in the other tabs too, and takes what was read about the person with it', async () => {
    signInForTest();
    await renderApp('/profile/settings');
    await waitFor(() => expect(queryClient.getQueryData(['/profiles/'])).toBeTruthy());
    elsewhere('portage.session.over', 'ended');
    expect(await screen.findByText(ended)).toBeVisible();
    await screen.findByRole('heading', { name: 'You will need to login to continue with this page.' });
    expect(queryClient.getQueryData(['/profiles/'])).toBeUndefined();
  });

  it('tells the other tabs', async () => {
    const told = vi.spyOn(Storage.prototype, 'setItem');
    apiRefuses();
    providerRefuses();
    signInForTest();
    await renderApp('/profile/settings');
    await screen.findByText(ended);
    expect(told).toHaveBeenCalledWith('portage.session.over', 'ended');
    expect(localStorage.getItem('portage.session')).toBeNull();
    told.mockRestore();
  });
});

describe('signing in while the provider cannot be reached', () => {
  it('is told in words, with a way to try again', async () => {
    server.use(http.get('*/identity/.well-known/openid-configuration', () => new HttpResponse(null, { status: 503 })));
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const { user } = await renderApp('/');
    const widget = within(await screen.findByRole('region', { name: 'Language and account' }));
    await user.click(widget.getByRole('button', { name: 'Sign In' }));
    const dialog = await screen.findByRole('dialog', { name: 'Signing in does not work at the moment' });
    expect(within(dialog).getByText(/could not be reached/)).toBeVisible();
    expect(leaveFor).not.toHaveBeenCalled();
    server.use(discovery());
    await user.click(within(dialog).getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(leaveFor).toHaveBeenCalled());
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('says what is the matter where the browser keeps nothing for this site', async () => {
    const storage = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
    onTestFinished(() => storage.mockRestore());
    server.use(discovery());
    const { user } = await renderApp('/');
    const widget = within(await screen.findByRole('region', { name: 'Language and account' }));
    await user.click(widget.getByRole('button', { name: 'Sign In' }));
    const dialog = await screen.findByRole('dialog', { name: 'Signing in does not work at the moment' });
    expect(within(dialog).getByText(/Allow cookies and site data/)).toBeVisible();
  });

  it('never rejects into nowhere', async () => {
    server.use(http.get('*/identity/.well-known/openid-configuration', () => HttpResponse.error()));
    await expect(signIn('/')).resolves.toBeUndefined();
  });
});

describe('a page load while the provider cannot be reached', () => {
  it.each([
    ['answers nothing', () => HttpResponse.error()],
    ['fails', () => new HttpResponse(null, { status: 503 })],
  ])('is not being signed out when it %s: it is said, and trying again signs in', async (_, said) => {
    localStorage.setItem('portage.session', '1');
    server.use(http.get('*/identity/.well-known/openid-configuration', said));
    await restoreSession();
    const { user } = await renderApp('/profile/settings');
    const notices = within(await screen.findByRole('region', { name: 'Notices' }));
    expect(notices.getByText('Signing in does not work at the moment')).toBeVisible();
    expect(screen.queryByRole('heading', { name: /You will need to login/ })).toBeNull();
    expect(localStorage.getItem('portage.session')).toBe('1');
    // reached again: the provider answers for itself
    let asked = 0;
    server.use(
      discovery(),
      http.get('*/identity/authorize', () => {
        asked += 1;
        return HttpResponse.json({ error: 'login_required' }, { status: 500 });
      }),
    );
    await user.click(notices.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(asked).toBe(1));
  });
});

it('asks by itself again for a session that could not be asked after, and offers that in the page', async () => {
  localStorage.setItem('portage.session', '1');
  server.use(http.get('*/identity/.well-known/openid-configuration', () => new HttpResponse(null, { status: 503 })));
  await renderApp('/payment', { draft: { ...withDate, guidelinesAgreed: true } });
  await act(() => restoreSession());
  const main = within(screen.getByRole('main'));
  expect(main.getByRole('button', { name: 'Try again' })).toBeVisible();
  let asked = 0;
  server.use(
    discovery(),
    http.get('*/identity/authorize', () => {
      asked += 1;
      return HttpResponse.json({ error: 'login_required' }, { status: 500 });
    }),
  );
  act(() => void dispatchEvent(new Event('online')));
  await waitFor(() => expect(asked).toBe(1));
  // nothing on the page moves meanwhile
  expect(main.getByRole('button', { name: 'Try again' })).toBeVisible();
});

describe('signing out on a shared computer', () => {
  const traces = () => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]);
  const withSecrets = {
    ...withDate,
    ...changeEnd({ ...emptyDraft(), ...withDate }, 'pickup', { details: 'door code 4711' }),
    comments: 'key under the mat',
  };

  const atProvider = vi.fn<() => Response>();
  beforeEach(() => {
    atProvider.mockReset().mockImplementation(() => new HttpResponse(null, { status: 204 }));
    server.use(http.post('*/identity/api/sign-out', () => atProvider()));
  });

  it('leaves no draft, no door code, no card and no booking behind', async () => {
    localStorage.setItem('portage.lang', 'en');
    localStorage.setItem('portage.attempt', JSON.stringify({ key: 'k', body: { door: '4711' }, sent: false }));
    for (const former of ['portage.draft', 'portage.draft.aside', 'portage.draft.2.aside'])
      localStorage.setItem(former, JSON.stringify({ draft: { pickupDetails: '4711' } }));
    sessionStorage.setItem('portage.lastBooking', JSON.stringify({ id: 'b', shortId: 'PT4711' }));
    signInForTest();
    const { user } = await renderApp('/profile/settings', { draft: withSecrets });
    await waitFor(() => expect(queryClient.getQueryData(['/profiles/'])).toBeTruthy());
    await user.click(await screen.findByRole('button', { name: 'Sign out' }));
    await waitFor(() => expect(leaveFor).toHaveBeenCalled());
    expect(leaveFor).toHaveBeenCalledExactlyOnceWith('/');
    expect(atProvider).toHaveBeenCalledOnce();
    expect(traces()).not.toMatch(/4711|mat|lastBooking/);
    expect(draftStore.get()).toEqual(emptyDraft());
    expect(queryClient.getQueryData(['/profiles/'])).toBeUndefined();
    expect(localStorage.getItem('portage.lang')).toBe('en');
  });

  it('does so in the other tabs too, which leave what they show', async () => {
    sessionStorage.setItem('portage.lastBooking', JSON.stringify({ id: 'b', shortId: 'PT4711' }));
    signInForTest();
    await renderApp('/locations', { draft: withSecrets });
    await screen.findByRole('heading', { name: 'Where are you moving?' });
    elsewhere('portage.session.over', 'signedOut');
    expect(leaveFor).toHaveBeenCalledWith('/');
    expect(draftStore.get().ends.pickup.details).toBe('');
    expect(traces()).not.toMatch(/4711/);
  });

  it('is told when only this page could be signed out, with a way to finish it', async () => {
    atProvider.mockImplementationOnce(() => new HttpResponse('busy', { status: 503 }));
    signInForTest();
    const { user } = await renderApp('/profile/settings', { draft: withSecrets });
    await user.click(await screen.findByRole('button', { name: 'Sign out' }));
    const dialog = await screen.findByRole('dialog', { name: 'You are not signed out everywhere yet' });
    expect(traces()).not.toMatch(/4711/);
    // it is not forgotten with the person: the next page finishes it
    expect(localStorage.getItem('portage.session.left')).toBe('1');
    expect(leaveFor).not.toHaveBeenCalled();
    await user.click(within(dialog).getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(leaveFor).toHaveBeenCalledExactlyOnceWith('/'));
    expect(localStorage.getItem('portage.session.left')).toBeNull();
  });
});
