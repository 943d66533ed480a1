import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';

import type { DispatchBoard } from '../features/dispatch/types.ts';
import { person, someBoard, someJob } from './dispatch-world.ts';
import { open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();

const crew = [person('m1', 'Ali Haddad'), person('m2', 'Bea Li')];
let board: DispatchBoard;
let hubs: (string | null)[];

beforeEach(() => {
  signedInAs('ops');
  hubs = [];
  board = someBoard([
    someJob({ id: 'job-1', shortId: 'AAAA11', status: 'assigned', crew }),
    someJob({ id: 'job-2', shortId: 'BBBB22', status: 'assigned', time: '13:00', endTime: '15:00', crew }),
    someJob({ id: 'job-3', shortId: 'CCCC33', customerName: 'Zoé Caron' }),
  ]);
  server.use(
    http.get('*/api/dispatch', ({ request }) => {
      hubs.push(new URL(request.url).searchParams.get('hub'));
      return HttpResponse.json(board);
    }),
    http.get('*/api/bookings/:id/crew/suggestions', () => HttpResponse.json({ wanted: 2, mates: [], trucks: [] })),
  );
});

const drawn = () => screen.findByRole('img', { name: '3 jobs on the map of Montréal' });
const route = (name: string) => screen.getByRole('button', { name: `Show the route of ${name}` });
const stops = (name: string) => {
  const item = route(name).closest('li');
  if (!item) throw new Error(`no route of ${name}`);
  return within(within(item).getByRole('list')).getAllByRole('listitem');
};

describe('the map of a day', () => {
  it('draws each route from the hub through its jobs, and has all of it in words in their order', async () => {
    const { user, router } = open('/dispatch?hub=montreal&day=2027-03-01');
    await user.click(await screen.findByRole('button', { name: 'Map of the day' }));
    const map = await drawn();
    expect(router.state.location.search).toMatchObject({ span: 'map' });
    // two routes of four legs, and what lacks people; a round beginning and a square end for each job of each
    expect(map.querySelectorAll('line')).toHaveLength(2 * 4 + 1);
    expect(map.querySelectorAll('line[data-empty]')).toHaveLength(2 * 2);
    expect(map.querySelectorAll('circle')).toHaveLength(2 * 2 + 1);
    expect(map.querySelectorAll('rect')).toHaveLength(2 * 2 + 1);
    const [first, second] = stops('Ali Haddad');
    expect(first).toHaveTextContent(/^9:00.*11:00.*AAAA11 Ana Roy.*from Laval to Montréal/);
    expect(second).toHaveTextContent(/^1:00.*3:00.*BBBB22/);
    expect(screen.getAllByText(/^From the hub and from job to job: 3\d km as the crow flies$/)).toHaveLength(2);
    const waiting = within(screen.getByRole('region', { name: 'Lack people' }));
    expect(waiting.getByText(/Zoé Caron/)).toBeVisible();
    await user.click(waiting.getByRole('button', { name: 'Move CCCC33 to…' }));
    expect(await screen.findByRole('dialog', { name: /Move CCCC33/ })).toBeVisible();
  });

  it('lets one route stand out by keys alone, with its jobs numbered', async () => {
    const { user } = open('/dispatch?hub=montreal&day=2027-03-01&span=map');
    const map = await drawn();
    expect(within(map).queryByText('1')).toBeNull();
    route('Bea Li').focus();
    await user.keyboard('{Enter}');
    expect(route('Bea Li')).toHaveAttribute('aria-pressed', 'true');
    expect(route('Ali Haddad')).toHaveAttribute('aria-pressed', 'false');
    expect(within(map).getByText('1')).toBeInTheDocument();
    expect(within(map).getByText('2')).toBeInTheDocument();
    expect(map.querySelectorAll('[data-faded]')).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: 'Show all routes' }));
    expect(map.querySelectorAll('[data-faded]')).toHaveLength(0);
  });

  it('shows crews as one route, and the jobs of the hub that is chosen', async () => {
    const { user } = open('/dispatch?hub=montreal&day=2027-03-01&span=map');
    await drawn();
    await user.click(screen.getByRole('tab', { name: 'Crews' }));
    expect(stops('Ali Haddad, Bea Li')).toHaveLength(2);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Hub' }), 'toronto');
    await waitFor(() => expect(hubs.at(-1)).toBe('toronto'));
  });

  it('says so where nobody goes anywhere', async () => {
    board = someBoard([someJob({})]);
    open('/dispatch?hub=montreal&day=2027-03-01&span=map');
    expect(await screen.findByText('Nobody goes anywhere on this day yet.')).toBeVisible();
    expect(screen.getByRole('img', { name: '1 job on the map of Montréal' })).toBeVisible();
  });
});
