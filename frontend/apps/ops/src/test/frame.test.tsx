import { mockConfig } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';

import { readEvents } from '../shell/live.ts';
import { desk, open, server, signedInAs, useDesk } from './render-desk.tsx';

vi.mock('../../../../packages/frame/src/leave.ts', () => ({ leaveFor: vi.fn() }));

useDesk();
beforeEach(() => {
  signedInAs('admin');
});

it('lists areas without a page in the demonstration, and says there that they have none', async () => {
  const { user } = open('/profile');
  const menu = within(await screen.findByRole('navigation', { name: 'Back office' }));
  await user.click(await menu.findByRole('link', { name: 'Automations' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Automations: not built yet' })).toBeVisible();
});

it('lists only what there is in a real installation', async () => {
  server.use(http.get('*/api/config', () => HttpResponse.json({ ...mockConfig, mode: 'production' })));
  open('/profile');
  const menu = within(await screen.findByRole('navigation', { name: 'Back office' }));
  expect(await menu.findByRole('link', { name: 'Ops team' })).toBeVisible();
  expect(menu.queryByRole('link', { name: 'Automations' })).toBeNull();
});

it.each(['/signin', '/signup', '/forgotpassword', '/resetpassword', '/404', '/500'])(
  'shows %s without the menu',
  async (path) => {
    open(path);
    expect(await screen.findByRole('heading', { level: 1 })).toBeVisible();
    expect(screen.queryByRole('navigation')).toBeNull();
  },
);

it('finds a booking and a page from the palette', async () => {
  const { user, router } = open('/profile');
  await screen.findByRole('heading', { level: 1, name: 'My profile' });
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox', { name: 'Go to or do' }), 'haddad');
  await screen.findByRole('option', { name: /Amira Haddad.*PTG13K/ });
  await user.keyboard('{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/bookings\/0/));
});

it('goes by letters, not while something is typed, and not when they are switched off', async () => {
  const { user, router } = open('/profile');
  const name = await screen.findByLabelText('First name');
  await user.type(name, 'gb');
  expect(router.state.location.pathname).toBe('/profile');
  name.blur();
  await user.keyboard('?');
  await user.click(await screen.findByRole('checkbox', { name: 'Single keys work' }));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.keyboard('gb');
  expect(router.state.location.pathname).toBe('/profile');
  await user.click(screen.getAllByRole('button', { name: 'Keyboard shortcuts' })[0] as HTMLElement);
  await user.click(await screen.findByRole('checkbox', { name: 'Single keys work' }));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.keyboard('gb');
  await waitFor(() => expect(router.state.location.pathname).toBe('/bookings'));
});

it('reads changes out of the stream, whatever way it is cut', () => {
  const whole = ': still here\n\nevent: change\ndata: {"kind":"booking","id":"1"}\n\nevent: change\ndata: {"ki';
  const read = readEvents(whole);
  expect(read.changes).toEqual([{ kind: 'booking', id: '1' }]);
  expect(readEvents(`${read.rest}nd":"booking","id":"2"}\r\n\r\n`).changes).toEqual([{ kind: 'booking', id: '2' }]);
});

it('shows the jobs that failed, and runs one again', async () => {
  desk.world.jobs.push({
    id: 'job-1',
    kind: 'send_mail',
    state: 'dead',
    attempts: 3,
    failures: 3,
    lastError: 'connection refused',
    booking: 'PTG10K',
    message: null,
    madeAt: '2027-02-01T15:00:00Z',
    nextAt: null,
  });
  const { user } = open('/jobs');
  expect(await screen.findByText('connection refused')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Run send_mail again' }));
  expect(await screen.findByText('No job has failed')).toBeVisible();
});

it('lets an administrator invite, and nobody else', async () => {
  signedInAs('ops');
  open('/members');
  expect(await screen.findByText('Only administrators can change this list.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Invite a colleague' })).toBeNull();
});
