import { problem } from '@portage/mock-api';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, it } from 'vitest';

import { renderApp, server, signInForTest, useApp, withDate } from '../../test/render-app.tsx';
import { isDesk, returnToOf } from './identity-api.ts';

useApp();

const posted: { call: string; body: unknown; language: string | null }[] = [];
let answer: () => Response = () => HttpResponse.json({});

beforeEach(() => {
  posted.length = 0;
  answer = () => HttpResponse.json({ redirectTo: '#done' });
  server.use(
    http.post('*/identity/api/:call', async ({ request, params }) => {
      posted.push({
        call: String(params['call']),
        body: await request.json(),
        language: request.headers.get('Accept-Language'),
      });
      return answer();
    }),
  );
});

it('signs in with the way back to the authorization request', async () => {
  answer = () => problem(401, 'wrong_credentials', 'The e-mail or the password is not right.');
  const returnTo = '/identity/authorize?client_id=portage-web&state=x';
  const { user } = await renderApp(`/signin?returnTo=${encodeURIComponent(returnTo)}&login_hint=ana%40example.test`);
  const email = await screen.findByLabelText('E-mail');
  expect(email).toHaveValue('ana@example.test');
  expect(email).toHaveAttribute('autocomplete', 'username');
  const password = screen.getByLabelText('Password');
  expect(password).toHaveAttribute('autocomplete', 'current-password');
  await user.type(password, 'not my password');
  await user.click(within(screen.getByRole('main')).getByRole('button', { name: 'Sign In' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('The e-mail or the password is not right.');
  expect(posted).toEqual([
    { call: 'sign-in', body: { email: 'ana@example.test', password: 'not my password', returnTo }, language: 'en' },
  ]);
  // what was typed is still there
  expect(password).toHaveValue('not my password');
});

it('says that the settings could not be had instead of staying empty, and comes when they are there', async () => {
  server.use(http.get('*/api/config', () => new HttpResponse(null, { status: 503 })));
  const { user } = await renderApp('/signin');
  const main = within(await screen.findByRole('main'));
  expect(await main.findByText('Failed to load page.')).toBeVisible();
  expect(main.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  server.resetHandlers();
  await user.click(main.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByLabelText('E-mail')).toBeVisible();
});

it('asks for the settings again by itself', async () => {
  server.use(http.get('*/api/config', () => new HttpResponse(null, { status: 404 })));
  await renderApp('/signin');
  expect(await screen.findByText('Failed to load page.')).toBeVisible();
  server.resetHandlers();
  expect(await screen.findByLabelText('E-mail')).toBeVisible();
});

it('names every missing field, each with a link to it', async () => {
  const { user } = await renderApp('/signup');
  await user.click(await screen.findByRole('button', { name: 'Sign Up' }));
  const summary = await screen.findByRole('alert');
  expect(
    within(summary)
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual([
    'First name is required.',
    'Last name is required.',
    'E-mail is required.',
    'Password is required.',
    'You must accept the terms to create an account.',
  ]);
  expect(summary).toHaveFocus();
  expect(document.title).toMatch(/^Error: /);
  expect(posted).toHaveLength(0);
});

it('signs up in the language on screen and shows what the server refuses beside its field', async () => {
  answer = () =>
    problem(422, 'validation_failed', '', {
      errors: [{ field: 'email', code: 'email_taken', message: 'Un compte existe déjà avec cette adresse.' }],
    });
  const { user } = await renderApp('/signup', { language: 'fr' });
  await user.type(await screen.findByLabelText('Prénom'), ' Ana ');
  await user.type(screen.getByLabelText('Nom'), 'Roy');
  await user.type(screen.getByLabelText('Courriel'), 'ana@example.test');
  await user.type(screen.getByLabelText('Mot de passe'), 'une phrase assez longue');
  await user.click(screen.getByLabelText('J’accepte les conditions de service'));
  await user.click(screen.getByRole('button', { name: 'S’inscrire' }));
  await waitFor(() => expect(screen.getByLabelText('Courriel')).toHaveAccessibleDescription(/Un compte existe déjà/));
  expect(posted[0]).toEqual({
    call: 'sign-up',
    language: 'fr',
    body: {
      firstName: 'Ana',
      lastName: 'Roy',
      email: 'ana@example.test',
      phone: '',
      password: 'une phrase assez longue',
      acceptTerms: true,
      language: 'fr',
    },
  });
});

it('shows and hides the password, and speaks up about caps lock', async () => {
  const { user } = await renderApp('/signin');
  const password = await screen.findByLabelText('Password');
  await user.click(screen.getByRole('button', { name: 'Show the password' }));
  expect(password).toHaveAttribute('type', 'text');
  await user.click(screen.getByRole('button', { name: 'Hide the password' }));
  expect(password).toHaveAttribute('type', 'password');
  await user.click(password);
  await user.keyboard('{CapsLock}A');
  expect(await screen.findByText('Caps lock is on.')).toBeVisible();
});

it('gives the same answer whether or not an address has an account', async () => {
  answer = () => new HttpResponse(null, { status: 204 });
  const { user } = await renderApp('/forgotpassword');
  await user.type(await screen.findByLabelText('E-mail'), 'nobody@example.test');
  await user.click(screen.getByRole('button', { name: 'Send me a link' }));
  expect(await screen.findByText(/If nobody@example.test has an account/)).toBeVisible();
});

it('keeps the address that was typed, from one account page to the next', async () => {
  const { user } = await renderApp('/signin');
  await user.type(await screen.findByLabelText('E-mail'), 'ana@example.test');
  await user.click(screen.getByRole('link', { name: 'Forgot your password?' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Forgot your password' })).toBeVisible();
  expect(screen.getByLabelText('E-mail')).toHaveValue('ana@example.test');
  expect(location.href).not.toContain('ana');
  await user.clear(screen.getByLabelText('E-mail'));
  await user.type(screen.getByLabelText('E-mail'), 'bob@example.test');
  await user.click(screen.getByRole('link', { name: 'Back to sign in' }));
  expect(await screen.findByLabelText('Password')).toBeVisible();
  expect(screen.getByLabelText('E-mail')).toHaveValue('bob@example.test');
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Sign Up' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Create your account' })).toBeVisible();
  expect(screen.getByLabelText('E-mail')).toHaveValue('bob@example.test');
});

it('changes the password by a link, and says when the link is dead', async () => {
  const { user, unmount } = await renderApp('/resetpassword?token=123e4567');
  await user.type(await screen.findByLabelText('New password'), 'short');
  await user.click(screen.getByRole('button', { name: 'Change my password' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Use at least 10 characters');
  await user.type(screen.getByLabelText('New password'), ' but now long');
  answer = () => problem(422, 'link_expired', 'This link does not work any more.');
  await user.click(screen.getByRole('button', { name: 'Change my password' }));
  expect(await screen.findByText(/already used or is more than an hour old/)).toBeVisible();
  expect(posted[0]?.body).toEqual({ token: '123e4567', password: 'short but now long' });
  unmount();
  await renderApp('/resetpassword');
  expect(await screen.findByText(/already used or is more than an hour old/)).toBeVisible();
});

it('shows the move that waits, so that nobody thinks it is lost', async () => {
  await renderApp('/signin', { draft: withDate });
  expect(await screen.findByText(/Your move is kept on this device/)).toBeVisible();
});

it.each(['/signin', '/signup'])('says on %s who is signed in already, and where to go', async (path) => {
  signInForTest();
  await renderApp(path);
  expect(await screen.findByText('You are signed in as ana@example.test.')).toBeVisible();
  const main = within(screen.getByRole('main'));
  expect(main.getByRole('link', { name: 'Profile' })).toHaveAttribute('href', '/profile');
  expect(main.getByRole('button', { name: 'Sign out' })).toBeVisible();
});

it.each([
  ['/guidelines', '/guidelines'],
  [`/identity/authorize?redirect_uri=${encodeURIComponent(`${location.origin}/callback`)}&state=x`, '/profile'],
])('sends on who is signed in already and comes back to the page with the way to %s', async (returnTo, path) => {
  signInForTest();
  const { router } = await renderApp(`/signin?returnTo=${encodeURIComponent(returnTo)}`);
  await waitFor(() => expect(router.state.location.pathname).toBe(path));
});

it('keeps the form for what another app or the provider asks of somebody who is signed in', async () => {
  signInForTest();
  const asked = `/identity/authorize?redirect_uri=${encodeURIComponent(`${location.origin}/dashboard/callback`)}`;
  const { router } = await renderApp(`/signin?returnTo=${encodeURIComponent(asked)}`);
  expect(await screen.findByLabelText('E-mail')).toBeVisible();
  expect(router.state.location.pathname).toBe('/signin');
});

it('knows the pages of the dashboard, which is an app of its own', () => {
  expect(['/dashboard', '/dashboard/', '/dashboard/bookings?x=1', '/dashboard?x'].every(isDesk)).toBe(true);
  expect(['/dashboards', '/profile', '/', '/a/dashboard/'].some(isDesk)).toBe(false);
});

it('takes only paths of our own site as the way back', () => {
  expect(returnToOf('?returnTo=%2Fidentity%2Fauthorize%3Fa%3Db')).toBe('/identity/authorize?a=b');
  for (const bad of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '']) {
    expect(returnToOf(`?returnTo=${encodeURIComponent(bad)}`), bad).toBeNull();
  }
});

it.each([
  ['en', 'First name', 'Last name', ['First name is required.', 'Last name is required.']],
  ['zh', '姓', '名', ['请填写姓。', '请填写名。']],
] as const)('asks in %s for %s before %s', async (language, before, after, missing) => {
  await renderApp('/signup', { language });
  const fields = await screen.findAllByRole('textbox');
  const at = (label: string) => fields.indexOf(screen.getByLabelText(label, { exact: true }));
  expect(at(before)).toBeGreaterThanOrEqual(0);
  expect(at(before)).toBeLessThan(at(after));
  // what is missing is told in the same order
  fireEvent.submit(fields[0]!.closest('form')!);
  const told = within(await screen.findByRole('alert')).getAllByRole('link');
  expect(told.slice(0, 2).map((link) => link.textContent)).toEqual(missing);
});
