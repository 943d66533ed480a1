import { leaveFor, queryClient } from '@portage/frame';
import { problem } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { sessionEnded } from '../shell/session.ts';
import { desk, open, server, signedInAs, useDesk } from './render-desk.tsx';

vi.mock('../../../../packages/frame/src/leave.ts', () => ({ leaveFor: vi.fn() }));

useDesk();
beforeEach(() => {
  vi.mocked(leaveFor).mockReset();
});

const wentTo = () => new URL(String(vi.mocked(leaveFor).mock.calls.at(-1)?.[0]), location.origin);

describe('the way in', () => {
  it('sends who is not signed in to the provider, and back to the page asked for', async () => {
    open('/profile');
    await waitFor(() => expect(leaveFor).toHaveBeenCalled());
    expect(wentTo().searchParams.get('redirect_uri')).toBe(`${location.origin}/dashboard/callback`);
    const pending = Object.entries(sessionStorage).find(([key]) => key.startsWith('portage.oidc.'));
    expect(JSON.parse(String(pending?.[1]))).toMatchObject({ returnTo: '/dashboard/profile' });
    expect(screen.queryByRole('navigation')).toBeNull();
  });

  it.each(['customer', 'mate', 'partner'])('refuses a %s in words, with the way to their own pages', async (role) => {
    signedInAs(role);
    open('/profile');
    await screen.findByRole('heading', { level: 1, name: 'This part is for the people who run the moves' });
    expect(screen.getByText(new RegExp(`ana@example\\.test, which is a ${role}’s account`))).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to my bookings' })).toHaveAttribute('href', '/profile');
    expect(screen.queryByRole('navigation')).toBeNull();
  });

  it('has a new colleague confirm the address first, and lets them in once they did', async () => {
    let verified = false;
    let sent = 0;
    server.use(
      http.get('*/identity/api/session', () => HttpResponse.json({ signedIn: true, emailVerified: verified })),
      http.post('*/identity/api/resend-verification', () => {
        sent += 1;
        return new HttpResponse(null, { status: 204 });
      }),
    );
    signedInAs('customer', 'user-1', { email_verified: false });
    const { user } = open('/profile');
    await screen.findByRole('heading', { level: 1, name: 'Confirm your e-mail address first' });
    expect(await screen.findByText(/We sent a link to this address/)).toHaveTextContent('ana@example.test');
    expect(screen.queryByText(/customer’s account/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Send the link again' }));
    expect(await screen.findByText(/A new link is on its way to ana@example\.test/)).toBeVisible();
    expect(sent).toBe(1);
    // the link was opened on the telephone
    verified = true;
    desk.account.profile = { ...desk.account.profile, role: 'ops' };
    await user.click(screen.getByRole('button', { name: 'I have opened the link' }));
    expect((await screen.findAllByRole('navigation'))[0]).toBeVisible();
  });

  it('tells who confirmed the address and is no colleague so', async () => {
    server.use(http.get('*/identity/api/session', () => HttpResponse.json({ signedIn: true, emailVerified: true })));
    signedInAs('customer', 'user-1', { email_verified: false });
    open('/profile');
    expect(await screen.findByText(/which is a customer’s account/)).toBeVisible();
  });

  it('shows the failure, and lets nobody in, when it cannot be asked who it is', async () => {
    signedInAs('ops');
    server.use(http.get('*/api/profiles/', () => problem(403, 'forbidden', 'Not today.')));
    open('/profile');
    expect(await screen.findByText('Not today.')).toBeVisible();
    expect(screen.queryByRole('navigation')).toBeNull();
  });

  it('says that the session has ended instead of going on', async () => {
    signedInAs('ops');
    open('/profile');
    await screen.findByRole('heading', { level: 1, name: 'My profile' });
    sessionEnded();
    expect(await screen.findByText('Your session has ended.')).toBeVisible();
    expect(screen.queryByRole('navigation')).toBeNull();
    expect(leaveFor).not.toHaveBeenCalled();
  });
});

it('leaves nothing of the person behind when they sign out', async () => {
  signedInAs('ops');
  localStorage.setItem('portage.lang', 'en');
  const { user } = open('/profile');
  await screen.findByRole('textbox', { name: 'First name' });
  await user.click(screen.getByRole('button', { name: 'Sign out' }));
  await waitFor(() => expect(leaveFor).toHaveBeenCalled());
  // the desk sends whoever is not signed in to the provider; who signs out must not be sent back in
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(vi.mocked(leaveFor).mock.calls).toEqual([['/dashboard/']]);
  expect(queryClient.getQueryData(['/profiles/'])).toBeUndefined();
  expect([...Object.keys(localStorage), ...Object.keys(sessionStorage)]).toEqual(['portage.lang']);
  expect(screen.queryByRole('textbox', { name: 'First name' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Sign In' })).toBeVisible();
});

describe('my profile', () => {
  it.each(['ops', 'admin'])('is a page of an %s, beside the sidebar', async (role) => {
    signedInAs(role);
    const { router } = open('/my-profile');
    await screen.findByRole('heading', { level: 1, name: 'My profile' });
    expect(router.state.location.pathname).toBe('/profile');
    const sidebar = within(screen.getByRole('navigation', { name: 'Back office' }));
    expect(sidebar.getByRole('link', { name: 'My profile' })).toHaveAttribute('href', '/dashboard/profile');
    expect(screen.getByText(role === 'admin' ? 'Administrator' : 'Dispatcher')).toBeVisible();
  });

  it('saves what was changed, for the version that was read, and says so', async () => {
    signedInAs('ops');
    const { user } = open('/profile');
    const name = await screen.findByLabelText('First name');
    await user.clear(name);
    await user.type(name, 'Anna');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect((await screen.findAllByText('Your changes are saved.'))[0]).toBeVisible();
    expect(desk.saved).toEqual([
      { body: { firstName: 'Anna', lastName: 'Roy', phone: '', language: 'en' }, version: '"3"' },
    ]);
  });

  it('refuses an empty name at the field and above the form, and sends nothing', async () => {
    signedInAs('ops');
    const { user } = open('/profile');
    await user.clear(await screen.findByLabelText('First name'));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const summary = await screen.findByRole('alert');
    expect(summary).toHaveTextContent('First name is required.');
    expect(summary).toHaveFocus();
    expect(desk.saved).toEqual([]);
  });

  it('keeps what was typed when somebody else changed it, and loads theirs only when asked', async () => {
    signedInAs('ops');
    const { user } = open('/profile');
    const name = await screen.findByLabelText('First name');
    await user.clear(name);
    await user.type(name, 'Anna');
    server.use(http.put('*/api/profiles/', () => problem(412, 'version_conflict', 'Changed meanwhile.')));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const again = await screen.findByRole('button', { name: 'Load what is saved now' });
    expect(screen.getByLabelText('First name')).toHaveValue('Anna');
    desk.account.profile = { ...desk.account.profile, firstName: 'Annie', version: 9 };
    await user.click(again);
    await waitFor(() => expect(screen.getByLabelText('First name')).toHaveValue('Annie'));
  });
});
