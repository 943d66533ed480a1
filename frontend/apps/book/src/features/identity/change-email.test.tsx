import { accountHandlers, freshAccount, problem } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, it } from 'vitest';

import { renderApp, server, signInForTest, useApp } from '../../test/render-app.tsx';

useApp();

let pending: string | null;
let posted: unknown[];
let answer: () => Response;

beforeEach(() => {
  pending = null;
  posted = [];
  answer = () => {
    pending = 'new@example.test';
    return new HttpResponse(null, { status: 204 });
  };
  server.use(
    http.get('*/identity/api/session', () => HttpResponse.json({ pendingEmail: pending })),
    http.post('*/identity/api/change-email', async ({ request }) => {
      posted.push(await request.json());
      return answer();
    }),
    ...accountHandlers(freshAccount()),
  );
  signInForTest();
});

async function form() {
  const app = await renderApp('/profile/settings');
  await app.user.click(await screen.findByRole('button', { name: 'Change my e-mail' }));
  const email = screen.getByLabelText('New e-mail');
  expect(email).toHaveFocus();
  const section = within(screen.getByRole('region', { name: 'E-mail' }));
  await app.user.type(email, 'new@example.test');
  await app.user.type(section.getByLabelText('Current password'), 'a quiet river');
  await app.user.click(section.getByRole('button', { name: 'Send the link' }));
  return section;
}

it('asks for address and password, and says that nothing changes before the link is opened', async () => {
  const section = await form();
  expect(await section.findByText(/A link is on its way to new@example.test/)).toBeVisible();
  expect(section.queryByLabelText('New e-mail')).toBeNull();
  expect(section.getByText(/^ana@example.test/)).toBeVisible();
  expect(posted).toEqual([{ email: 'new@example.test', currentPassword: 'a quiet river' }]);
});

it('says of no field that it is wrong before the first try', async () => {
  const { user } = await renderApp('/profile/settings');
  await user.click(await screen.findByRole('button', { name: 'Change my e-mail' }));
  await user.tab();
  const email = screen.getByLabelText('New e-mail');
  expect(email).not.toHaveFocus();
  expect(email).not.toBeInvalid();
  await user.click(screen.getByRole('button', { name: 'Send the link' }));
  await waitFor(() => expect(email).toBeInvalid());
});

it('shows a link that is on its way after a reload', async () => {
  pending = 'new@example.test';
  await renderApp('/profile/settings');
  expect(await screen.findByText(/A link is on its way to new@example.test/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Use another address instead' })).toBeVisible();
});

it('shows a wrong password at its field, and keeps what was typed', async () => {
  answer = () =>
    problem(422, 'validation_failed', '', {
      errors: [{ field: 'currentPassword', code: 'password_wrong', message: 'This is not your password.' }],
    });
  const section = await form();
  await waitFor(() =>
    expect(section.getByLabelText('Current password')).toHaveAccessibleDescription(/This is not your password/),
  );
  expect(section.getByLabelText('New e-mail')).toHaveValue('new@example.test');
});

it('says in words what an account with a role must do', async () => {
  answer = () => problem(409, 'email_holds_role', 'An administrator changes this address.');
  const section = await form();
  expect(await section.findByText('An administrator changes this address.')).toBeVisible();
});

it.each([
  ['emailChanged', 'Your e-mail address is now ana@example.test.'],
  ['emailTaken', /the new one belongs to another account/],
  ['emailLinkDead', /already used, replaced by a later one, or has expired/],
])('tells after the link: %s', async (notice, told) => {
  await renderApp(`/profile?notice=${notice}`);
  expect(await screen.findByText(told)).toBeVisible();
});

it('asks somebody who is not signed in to sign in first', async () => {
  await renderApp('/signin?notice=signInToChangeEmail&returnTo=%2Fidentity%2Fchange-email%3Ftoken%3Dx');
  expect(await screen.findByText('Sign in, and your new e-mail address is confirmed.')).toBeVisible();
});
