import { problem } from '@portage/mock-api';
import { createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';

import type { CrewSuggestions, DispatchBoard } from '../features/dispatch/types.ts';
import { person, someBoard, someJob } from './dispatch-world.ts';
import { open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();

const clash = {
  id: 'job-2',
  shortId: 'BBBB22',
  startsAt: '2027-03-01T15:00:00Z',
  endsAt: '2027-03-01T18:00:00Z',
  localStart: '2027-03-01T10:00',
  localEnd: '2027-03-01T13:00',
  wayMinutes: 15,
};
let board: DispatchBoard;
let suggestions: CrewSuggestions;
let asked: unknown[];
let absences: unknown[];
let refuse: boolean;

beforeEach(() => {
  signedInAs('ops');
  asked = [];
  absences = [];
  refuse = false;
  board = someBoard([
    someJob({}),
    someJob({
      id: 'job-2',
      shortId: 'BBBB22',
      status: 'assigned',
      time: '10:00',
      endTime: '13:00',
      crew: [person('m2', 'Bea Li')],
      truck: { id: 't1', name: 'Castor' },
      conflicts: [
        { code: 'too_few', who: null, other: null },
        { code: 'mate_taken', who: 'Bea Li', other: { ...clash, id: 'job-3', shortId: 'CCCC33' } },
      ],
    }),
  ]);
  const mate = { onIt: false, away: false, ended: [], taken: null, suggested: false, jobsThatDay: 0, wayMinutes: 12 };
  suggestions = {
    wanted: 2,
    mates: [
      {
        ...mate,
        id: 'm1',
        name: 'Ali Haddad',
        free: true,
        suggested: true,
        reasons: ['free', 'near'],
        minutesThatWeek: 0,
      },
      { ...mate, id: 'm4', name: 'Dan Roy', free: true, suggested: true, reasons: ['free'], minutesThatWeek: 300 },
      { ...mate, id: 'm2', name: 'Bea Li', free: false, taken: clash, reasons: [], minutesThatWeek: 180 },
    ],
    trucks: [
      { id: 't1', name: 'Castor', size: '20ft', suggested: false, fits: true, taken: clash, away: false, ended: [] },
      { id: 't2', name: 'Lynx', size: '26ft', suggested: true, fits: true, taken: null, away: false, ended: [] },
    ],
  };
  server.use(
    http.get('*/api/dispatch', () => HttpResponse.json(board)),
    http.get('*/api/bookings/:id/crew/suggestions', () => HttpResponse.json(suggestions)),
    http.put('*/api/bookings/:id/crew', async ({ params, request }) => {
      const body = (await request.json()) as { mates: string[] };
      asked.push({ id: params['id'], ...body });
      if (refuse) return problem(409, 'crew_not_free', 'Ali Haddad is not free: taken from 09:00 to 11:00.');
      if (params['id'] === 'job-2') return HttpResponse.json(board.jobs[1]);
      board.jobs[0] = someJob({ status: 'assigned', crew: body.mates.map((id) => person(id, id)) });
      return HttpResponse.json(board.jobs[0]);
    }),
    http.post('*/api/absences', async ({ request }) => {
      absences.push(await request.json());
      return HttpResponse.json({ id: 'a1' }, { status: 201 });
    }),
  );
});

describe('the board', () => {
  it('shows the hours of a crew beside those planned', async () => {
    const done = { ...person('m1', 'Ali Haddad'), workedMinutes: 137 };
    board.jobs = [someJob({ status: 'completed', crew: [done, person('m2', 'Lea Roy')] })];
    open('/dispatch');
    expect((await screen.findAllByText(/^Hours: Ali Haddad 2\sh\s17\smin\. Planned: 2\sh$/))[0]).toBeVisible();
  });

  it('says what waits for people, what is wrong, and who has no job', async () => {
    open('/dispatch?hub=montreal&day=2027-03-01');
    const queue = await screen.findByRole('region', { name: '2 jobs lack people' });
    expect(within(queue).getByRole('link', { name: 'AAAA11' })).toBeVisible();
    const lane = screen.getByRole('region', { name: 'Bea Li' });
    expect(within(lane).getByText('1 mate is missing')).toBeVisible();
    expect(
      within(lane).getByText(/Bea Li has another job: CCCC33, 10:00 .* to 1:00 .*, 15 minutes away/),
    ).toBeVisible();
    expect(within(screen.getByRole('region', { name: 'Ali Haddad' })).getByText('no job')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Chris Noel away that day' })).toBeVisible();
  });

  it('says who should have said by now that they come, and that nobody can move what is heavy', async () => {
    board.jobs = [
      someJob({
        status: 'assigned',
        crew: [person('m1', 'Ali Haddad')],
        conflicts: [
          { code: 'no_skill', who: null, other: null },
          { code: 'mate_unconfirmed', who: 'Ali Haddad', other: null },
        ],
      }),
    ];
    open('/dispatch?hub=montreal&day=2027-03-01');
    const lane = await screen.findByRole('region', { name: 'Ali Haddad' });
    expect(within(lane).getByText('Nobody on it can move what is heavy here')).toBeVisible();
    expect(within(lane).getByText('Ali Haddad has not said whether they come')).toBeVisible();
  });

  it('marks papers that have ended, of a mate and of the truck', async () => {
    board.jobs = [
      someJob({
        status: 'assigned',
        crew: [person('m1', 'Ali Haddad')],
        truck: { id: 't1', name: 'Castor' },
        conflicts: [
          { code: 'mate_paper_ended', who: 'Ali Haddad', paper: { kind: 'Insurance', expiresOn: '2027-02-20' } },
          { code: 'truck_paper_ended', who: 'Castor', paper: { kind: 'Inspection', expiresOn: '2027-02-21' } },
        ],
      }),
    ];
    open('/dispatch?hub=montreal&day=2027-03-01');
    const lane = await screen.findByRole('region', { name: 'Ali Haddad' });
    expect(within(lane).getByText('Insurance: expired on Feb 20, 2027 (Ali Haddad)')).toBeVisible();
    expect(within(lane).getByText('Inspection: expired on Feb 21, 2027 (Castor)')).toBeVisible();
  });

  it('shows any hub that the server knows, and all of them at once', async () => {
    const hubs: (string | null)[] = [];
    server.use(
      http.get('*/api/dispatch', ({ request }) => {
        const hub = new URL(request.url).searchParams.get('hub');
        hubs.push(hub);
        const jobs = hub === null ? [someJob({ hub: 'ottawa' })] : [];
        return HttpResponse.json({ ...someBoard(jobs), hub, depot: null });
      }),
    );
    const { user, router } = open('/dispatch?hub=ottawa&day=2027-03-01');
    expect(await screen.findByText('No job on this day')).toBeVisible();
    const menu = screen.getByRole('combobox', { name: 'Hub' });
    await waitFor(() => expect(menu).toHaveDisplayValue('Ottawa'));
    expect(within(menu).getAllByRole('option')).toHaveLength(13);
    await user.click(screen.getByRole('button', { name: 'All hubs' }));
    expect(await screen.findByText(/0 of 2 mates · Ottawa/)).toBeVisible();
    expect([hubs[0], hubs.at(-1)]).toEqual(['ottawa', null]);
    expect(router.state.location.search).toMatchObject({ hub: 'all' });
    // a plan is made for one hub
    expect(screen.queryByRole('button', { name: 'Assign the day…' })).toBeNull();
  });

  it('shows the same day by truck', async () => {
    const { user } = open('/dispatch?hub=montreal&day=2027-03-01');
    await user.click(await screen.findByRole('tab', { name: 'Trucks' }));
    const lane = await screen.findByRole('region', { name: 'Castor, 20 ft' });
    expect(within(lane).getByRole('link', { name: 'BBBB22' })).toBeVisible();
  });

  it('moves a job by keys alone: to the suggested crew, and back to the card', async () => {
    const { user } = open('/dispatch?hub=montreal&day=2027-03-01');
    (await screen.findByRole('button', { name: 'Move AAAA11 to…' })).focus();
    await user.keyboard('{Enter}');
    const suggest = await screen.findByRole('button', { name: 'Choose the suggested crew' });
    expect(screen.getByText(/has another job: BBBB22/)).toBeVisible();
    expect(screen.getByRole('checkbox', { name: 'Bea Li' })).toBeDisabled();
    suggest.focus();
    await user.keyboard('{Enter}');
    expect(screen.getByRole('checkbox', { name: 'Ali Haddad' })).toBeChecked();
    const dan = screen.getByRole('checkbox', { name: 'Dan Roy' });
    dan.focus();
    await user.keyboard(' ');
    expect(screen.getByText('1 mate fewer than the booking pays for: it may be sent all the same.')).toBeVisible();
    screen.getByRole('button', { name: 'Send this crew' }).focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(asked).toEqual([{ id: 'job-1', mates: ['m1'], truckId: 't2' }]));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Send this crew' })).toBeNull());
  });

  it('says that nobody answered, where nobody did', async () => {
    server.use(http.put('*/api/bookings/:id/crew', () => HttpResponse.error()));
    const { user } = open('/dispatch?hub=montreal&day=2027-03-01&job=job-1');
    await user.click(await screen.findByRole('button', { name: 'Choose the suggested crew' }));
    await user.click(screen.getByRole('button', { name: 'Send this crew' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('We could not reach the server.');
  });

  it('says by name why a crew was refused, and changes nothing', async () => {
    refuse = true;
    const { user } = open('/dispatch?hub=montreal&day=2027-03-01&job=job-1');
    await user.click(await screen.findByRole('button', { name: 'Choose the suggested crew' }));
    await user.click(screen.getByRole('button', { name: 'Send this crew' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Ali Haddad is not free: taken from 09:00 to 11:00.');
    expect(screen.getByRole('button', { name: 'Send this crew' })).toBeVisible();
  });
});

/** As a browser does it: out of one place, over another, dropped there. */
function drag(card: Element, to: Element): void {
  const kept = new Map<string, string>();
  const dataTransfer = { setData: (type: string, text: string) => kept.set(type, text), effectAllowed: '' };
  fireEvent.dragStart(card, { dataTransfer });
  const over = createEvent.dragOver(to, { dataTransfer });
  fireEvent(to, over);
  // a place that does not take it prevents nothing, and a browser drops nothing there
  if (over.defaultPrevented) fireEvent.drop(to, { dataTransfer });
  fireEvent.dragEnd(card, { dataTransfer });
}

function card(lane: HTMLElement, number: string): Element {
  const found = within(lane).getByText(number).closest('li');
  if (!found) throw new Error(`no card of ${number}`);
  return found;
}

describe('a job that is dragged', () => {
  const lane = (name: string) => screen.findByRole('region', { name });

  it('goes to whom it is dropped on, at once on screen', async () => {
    let answer: () => void = () => {};
    server.use(
      http.put('*/api/bookings/:id/crew', async ({ params, request }) => {
        asked.push({ id: params['id'], ...((await request.json()) as object) });
        await new Promise<void>((resolve) => (answer = resolve));
        return HttpResponse.json(board.jobs[1]);
      }),
    );
    open('/dispatch?hub=montreal&day=2027-03-01');
    const ali = await lane('Ali Haddad');
    drag(card(await lane('Bea Li'), 'BBBB22'), ali);
    expect(await within(ali).findByText('BBBB22')).toBeVisible();
    expect(within(await lane('Bea Li')).queryByText('BBBB22')).toBeNull();
    await waitFor(() => expect(asked).toEqual([{ id: 'job-2', mates: ['m1'], truckId: 't1' }]));
    answer();
    expect(await screen.findByText('BBBB22 has its crew')).toBeVisible();
  });

  it('is back where it was when that is refused, and the reason is told by name', async () => {
    refuse = true;
    open('/dispatch?hub=montreal&day=2027-03-01');
    drag(card(await lane('Bea Li'), 'BBBB22'), await lane('Ali Haddad'));
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'BBBB22 stays as it was: Ali Haddad is not free: taken from 09:00 to 11:00.',
    );
    expect(within(await lane('Bea Li')).getByText('BBBB22')).toBeVisible();
    expect(within(await lane('Ali Haddad')).queryByText('BBBB22')).toBeNull();
    // the lanes stay where they are while the next one is dragged
    fireEvent.dragStart(card(await lane('Bea Li'), 'BBBB22'), {
      dataTransfer: { setData: () => {}, effectAllowed: '' },
    });
    expect(screen.getByRole('alert')).toHaveTextContent('BBBB22 stays as it was');
  });

  it('asks for the rest of its crew before anybody is told, with whom it was dropped on chosen', async () => {
    const { user } = open('/dispatch?hub=montreal&day=2027-03-01');
    drag(card(await lane('2 jobs lack people'), 'AAAA11'), await lane('Ali Haddad'));
    expect(await screen.findByRole('checkbox', { name: 'Ali Haddad' })).toBeChecked();
    expect(asked).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Close without a change' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Move AAAA11 to…' }));
    expect(await screen.findByRole('checkbox', { name: 'Ali Haddad' })).not.toBeChecked();
  });

  it('is not taken by where it is already', async () => {
    open('/dispatch?hub=montreal&day=2027-03-01');
    const bea = await lane('Bea Li');
    drag(card(bea, 'BBBB22'), bea);
    expect(asked).toEqual([]);
  });

  it('goes to another row of its own day of the week only', async () => {
    open('/dispatch?hub=montreal&day=2027-03-03&span=week');
    const table = await screen.findByRole('table');
    const chip = within(within(table).getByRole('row', { name: /^Bea Li/ })).getByRole('button', { name: /BBBB22/ });
    const days = within(within(table).getByRole('row', { name: /^Ali/ })).getAllByRole('cell');
    for (const day of days) if (day !== days[1]) drag(chip, day);
    expect(asked).toEqual([]);
    drag(chip, days[1] as HTMLElement);
    await waitFor(() => expect(asked).toEqual([{ id: 'job-2', mates: ['m1'], truckId: 't1' }]));
  });
});

describe('somebody who does not come', () => {
  it('is written down as away, and somebody else goes instead', async () => {
    const { user } = open('/dispatch?hub=montreal&day=2027-03-01');
    (await screen.findByRole('button', { name: 'Bea Li does not come…' })).focus();
    await user.keyboard('{Enter}');
    const instead = await screen.findByRole('combobox', { name: /Who goes to BBBB22, 10:00/ });
    expect(instead).toHaveDisplayValue('Ali Haddad');
    expect(screen.getByText('free, near')).toBeVisible();
    expect(within(instead).queryByRole('option', { name: /Bea Li/ })).toBeNull();
    screen.getByRole('button', { name: 'Write it down and tell everybody' }).focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(asked).toEqual([{ id: 'job-2', mates: ['m1'], truckId: 't1' }]));
    expect(absences).toEqual([{ hub: 'montreal', mateId: 'm2', from: '2027-03-01', to: '2027-03-01', reason: 'Sick' }]);
    await waitFor(() => expect(screen.queryByRole('combobox', { name: /Who goes to/ })).toBeNull());
  });

  it('may leave a job open, says why one stayed as it was, and what was chosen stays', async () => {
    refuse = true;
    const { user } = open('/dispatch?hub=montreal&day=2027-03-01&sick=m2');
    const instead = await screen.findByRole('combobox', { name: /Who goes to BBBB22/ });
    await user.selectOptions(instead, 'nobody yet: decide later');
    expect(screen.getByText('1 job stays without somebody instead; the board marks it.')).toBeVisible();
    await user.selectOptions(instead, 'Dan Roy');
    await user.click(screen.getByRole('button', { name: 'Write it down and tell everybody' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'BBBB22 stays as it was: Ali Haddad is not free: taken from 09:00 to 11:00.',
    );
    expect(instead).toHaveDisplayValue('Dan Roy');
  });

  it('sends nobody again whom a colleague has taken meanwhile', async () => {
    refuse = true;
    const { user } = open('/dispatch?hub=montreal&day=2027-03-01&sick=m2');
    const instead = await screen.findByRole('combobox', { name: /Who goes to BBBB22/ });
    expect(instead).toHaveDisplayValue('Ali Haddad');
    suggestions.mates = suggestions.mates.map((one) => (one.id === 'm1' ? { ...one, free: false, taken: clash } : one));
    await user.click(screen.getByRole('button', { name: 'Write it down and tell everybody' }));
    await waitFor(() => expect(instead).toHaveDisplayValue('nobody yet: decide later'));
    expect(screen.getByText('1 job stays without somebody instead; the board marks it.')).toBeVisible();
    expect(asked).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Write it down and tell everybody' }));
    await waitFor(() => expect(screen.queryByRole('combobox', { name: /Who goes to/ })).toBeNull());
    expect(asked).toHaveLength(1);
  });
});

describe('a week', () => {
  it('has a column a day and a row a mate; a job opens who could go, a day opens its board', async () => {
    let asked: string | null = null;
    server.use(
      http.get('*/api/dispatch', ({ request }) => {
        const query = new URL(request.url).searchParams;
        asked = `${query.get('from')} ${query.get('to')}`;
        return HttpResponse.json(board);
      }),
    );
    const { user, router } = open('/dispatch?hub=montreal&day=2027-03-03&span=week');
    const table = await screen.findByRole('table');
    expect(asked).toBe('2027-02-28 2027-03-06');
    expect(screen.getByRole('button', { name: 'The week' })).toHaveAttribute('aria-pressed', 'true');
    const row = within(table).getByRole('row', { name: /^Bea Li/ });
    expect(within(row).getByRole('button', { name: /10:00.*BBBB22.*something is wrong/ })).toBeVisible();
    expect(within(within(table).getByRole('row', { name: /^Chris Noel/ })).getByText('away')).toBeVisible();
    expect(within(within(table).getByRole('row', { name: /lack/ })).getByText('AAAA11')).toBeVisible();
    await user.click(screen.getByRole('tab', { name: 'Crews' }));
    const crew = within(await screen.findByRole('table')).getByRole('row', { name: /^Bea Li/ });
    await user.click(within(crew).getByRole('button', { name: /BBBB22/ }));
    expect(await screen.findByRole('dialog')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Close without a change' }));
    await user.click(screen.getByRole('button', { name: 'Next week' }));
    await waitFor(() => expect(asked).toBe('2027-03-07 2027-03-13'));
    await user.click(await screen.findByRole('link', { name: /Mar 8|8 Mar|Mon/ }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ day: '2027-03-08' }));
    expect(router.state.location.search).not.toHaveProperty('span');
  });
});
