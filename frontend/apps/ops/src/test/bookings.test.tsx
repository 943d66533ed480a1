import type { DeskBooking, DeskEvent, Partner } from '@portage/api';
import { problem } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { sessionEnded } from '../shell/session.ts';
import { desk, open, server, signedInAs, useDesk } from './render-desk.tsx';

vi.mock('../../../../packages/frame/src/leave.ts', () => ({ leaveFor: vi.fn() }));

useDesk();
beforeEach(() => {
  signedInAs('ops');
});

/** The bookings, without the head of the table and the headings of the days. */
const rows = () => screen.getAllByRole('row').filter((row) => row.dataset['gridRow']);
const listed = () => desk.world.asked.filter((call) => call.method === 'GET').at(-1);
const changed = (method: string) => desk.world.asked.filter((call) => call.method === method);
const reasonLabel = 'Why: the customer reads it in the message about the cancellation';
const first = () => desk.world.bookings[0] as DeskBooking;

describe('the list', () => {
  it('asks for the moves that come up, and shows a line for each', async () => {
    open('/bookings');
    expect(await screen.findByRole('link', { name: /PTG10K/ })).toBeVisible();
    expect(rows()).toHaveLength(12);
    expect(listed()).toMatchObject({ path: '/bookings', query: { page: '1', per_page: '25' } });
    // with an order the call would answer the past, too
    expect(listed()?.query).not.toHaveProperty('sort');
    expect(within(rows()[0] as HTMLElement).getByText('needs 2')).toBeVisible();
  });

  it('has room for every column: the state stands early, and free text shares what the others leave', async () => {
    open('/bookings');
    await screen.findByRole('link', { name: /PTG10K/ });
    const heads = screen.getAllByRole('columnheader').slice(1);
    expect(heads.map((head) => head.textContent)).toEqual([
      'Customer',
      'Day and time',
      'State',
      'From and to',
      'Who comes',
      'Size',
      'Total',
      'Paid',
    ]);
    const shares = heads.map((head) => head.style.width);
    expect(shares).toEqual(['34%', '', '', '38%', '28%', '', '', '']);
    // more than all there is would leave the others nothing
    expect(shares.reduce((sum, share) => sum + (Number.parseInt(share, 10) || 0), 0)).toBeLessThanOrEqual(100);
    const smallest = heads.map((head) => Number.parseInt(head.style.minWidth, 10) || 0);
    expect(smallest.reduce((sum, width) => sum + width, 0)).toBeLessThanOrEqual(400);
  });

  it('heads the bookings of each day, as long as they come in the order of the days', async () => {
    const { router } = open('/bookings');
    await screen.findByRole('link', { name: /PTG10K/ });
    const days = () =>
      within(screen.getByRole('grid'))
        .queryAllByRole('heading')
        .map((day) => day.textContent);
    expect(days()).toEqual([
      'Wednesday, February 10, 2027',
      'Thursday, February 11, 2027',
      'Friday, February 12, 2027',
      'Saturday, February 13, 2027',
    ]);
    await router.navigate({ to: '/bookings', search: { sort: '-createdAt' } });
    await waitFor(() => expect(days()).toEqual([]));
  });

  it('reads search, filters, order, page and the open record out of the address', async () => {
    open(
      '/bookings?q=roy&status=pending,assigned&moves=2027-02-10..2027-02-12&mates=2..2&crew=none&ride=no&sort=-moveAt&perPage=10',
    );
    await screen.findByRole('grid');
    await waitFor(() => expect(listed()?.path).toBe('/searchFiltered'));
    expect(listed()?.query).toMatchObject({ value: 'roy', sort: '-moveAt', page: '1', per_page: '10' });
    expect(JSON.parse(listed()?.query['filters'] ?? '')).toEqual({
      status: ['pending', 'assigned'],
      bookingDateFrom: '2027-02-10',
      bookingDateTo: '2027-02-12',
      mateCountMin: 2,
      mateCountMax: 2,
      unassigned: true,
      rideAlong: false,
    });
  });

  it('leaves the past out in every order', async () => {
    open('/bookings?sort=-createdAt');
    await screen.findByRole('grid');
    await waitFor(() => expect(listed()).toMatchObject({ path: '/filter', query: { sort: '-createdAt' } }));
    expect(Object.keys(JSON.parse(listed()?.query['filters'] ?? '{}') as object)).toEqual(['bookingDateFrom']);
  });

  it('orders what is searched for by how well it fits, unless told otherwise', async () => {
    open('/bookings?q=roy');
    await screen.findByRole('grid');
    await waitFor(() => expect(listed()).toMatchObject({ path: '/search', query: { value: 'roy' } }));
    expect(listed()?.query).not.toHaveProperty('sort');
  });

  it('falls back to what is usual where the address holds nonsense', async () => {
    open('/bookings?page=-3&sort=evil&status=x&mates=9..1&slot=now');
    await screen.findByRole('link', { name: /PTG10K/ });
    expect(listed()).toMatchObject({ path: '/bookings', query: { page: '1' } });
  });

  it('says which filters of a copied address it leaves out, and goes on without them', async () => {
    const { user, router } = open('/bookings?filters=%7B%22nope%22%3A1%7D&status=pending,gone&stat=paid&lang=en');
    const words = await screen.findByText(/does not know: State, nope, stat\. They are left out/);
    expect(words).toBeVisible();
    await waitFor(() => expect(JSON.parse(listed()?.query['filters'] ?? '{}')).toEqual({ status: ['pending'] }));
    await user.click(screen.getByRole('button', { name: 'Take out of the address' }));
    await waitFor(() => expect(words).not.toBeInTheDocument());
    expect(router.state.location.search).toMatchObject({ status: 'pending' });
    for (const name of ['filters', 'stat']) expect(router.state.location.search).not.toHaveProperty(name);
  });

  it('leaves nothing out of an address of its own', async () => {
    open(
      '/bookings?q=roy&status=pending,assigned&moves=next7&mates=2..2&soon=72&sort=-moveAt&rows=roomy&view=all&all=true',
    );
    await screen.findByRole('grid');
    await waitFor(() => expect(listed()?.path).toBe('/searchFiltered'));
    expect(screen.queryByText(/left out/)).toBeNull();
  });

  it('opens a worklist with its filters', async () => {
    const { user, router } = open('/bookings');
    await user.click(await screen.findByRole('link', { name: /Payment problem/ }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ payment: 'problem' }));
    await waitFor(() => expect(JSON.parse(listed()?.query['filters'] ?? '{}')).toEqual({ paymentState: ['problem'] }));
    expect(screen.getByRole('link', { name: /Payment problem/ })).toHaveAttribute('aria-current', 'page');
  });

  const partner = '0197a000-0000-7000-8000-000000000007';
  const partnerRow = () => ({
    ...(desk.world.catalogues.partners[0] as Partner),
    id: partner,
    name: 'Maison Tremblay',
  });

  it('filters by a partner, whose names are fetched once somebody wants them', async () => {
    desk.world.catalogues.partners = [partnerRow()];
    const { user, router } = open('/bookings');
    await screen.findByRole('link', { name: /PTG10K/ });
    expect(desk.world.asked.filter(({ path }) => path === '/partner')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Filter' }));
    await user.click(await screen.findByRole('button', { name: 'Partners' }));
    await user.click(await screen.findByRole('radio', { name: 'Maison Tremblay' }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ partner }));
    expect(await screen.findByRole('button', { name: /^Partners: Maison Tremblay/ })).toBeVisible();
    await waitFor(() => expect(JSON.parse(listed()?.query['filters'] ?? '{}')).toEqual({ partnerId: partner }));
  });

  it('names the partner of an address, and passes over what is none', async () => {
    desk.world.catalogues.partners = [partnerRow()];
    const { router } = open(`/bookings?partner=${partner}`);
    expect(await screen.findByRole('button', { name: /^Partners: Maison Tremblay/ })).toBeVisible();
    await router.navigate({ to: '/bookings', search: { partner: 'P-0007' } });
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Partners:/ })).toBeNull());
  });

  it('says that the partners could not be fetched, and asks again', async () => {
    desk.world.catalogues.partners = [partnerRow()];
    server.use(http.get('*/api/partner', () => problem(403, 'forbidden', 'Not now.'), { once: true }));
    const { user } = open('/bookings');
    await user.click(await screen.findByRole('button', { name: 'Filter' }));
    await user.click(await screen.findByRole('button', { name: 'Partners' }));
    expect(await screen.findByText('The choices could not be fetched.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('radio', { name: 'Maison Tremblay' })).toBeVisible();
  });

  it('says of a page past the end that it is not there any more, and leads to the last one', async () => {
    const { user, router } = open('/bookings?page=40&perPage=10');
    expect(await screen.findByText('This page of the list does not exist any more')).toBeVisible();
    expect(screen.queryByText('No move is coming up')).toBeNull();
    expect(screen.getByRole('button', { name: 'To the first page' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'To the last page' }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ page: 2 }));
    await waitFor(() => expect(rows()).toHaveLength(2));
    // the button is gone: the focus is among the rows
    await waitFor(() => expect(screen.getByRole('grid')).toContainElement(document.activeElement as HTMLElement));
  });

  it('keeps the filters as a view, by the names of the calls', async () => {
    const { user } = open('/bookings?status=pending');
    await user.click(await screen.findByRole('button', { name: 'Save view' }));
    await user.type(await screen.findByLabelText('Name of the view'), 'To do');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('link', { name: /To do \(only you\)/ })).toHaveAttribute('aria-current', 'page');
    expect(changed('POST').at(-1)?.body).toEqual({
      name: 'To do',
      shared: false,
      filters: { status: ['pending'] },
      sort: 'moveAt',
    });
  });

  it('tells empty from empty because of filters, and says what failed', async () => {
    desk.world.bookings.length = 0;
    const { user, router } = open('/bookings?status=pending');
    await user.click(
      within(await screen.findByRole('grid')).queryByRole('button', { name: 'Clear all' }) ??
        (await within(screen.getByRole('grid')).findByRole('button', { name: 'Clear all' })),
    );
    expect(await screen.findByText('No move is coming up')).toBeVisible();
    expect(router.state.location.search).not.toHaveProperty('status');
    server.use(http.get('*/api/filter', () => problem(422, 'validation_failed', 'This filter is wrong.')));
    await user.click(screen.getByRole('link', { name: 'See all bookings' }));
    expect(await screen.findByText('This filter is wrong.')).toBeVisible();
  });

  it('sets the status of several and says for each what happened', async () => {
    const { user } = open('/bookings');
    for (const code of ['PTG10K', 'PTG11K'])
      await user.click(await screen.findByRole('checkbox', { name: new RegExp(code) }));
    await user.click(await screen.findByRole('button', { name: 'Set status' }));
    await user.click(await screen.findByRole('button', { name: 'Set status now' }));
    expect(await screen.findByText('1 of 2 changed')).toBeVisible();
    expect(screen.getByText('This is not possible now. It is still assigned.')).toBeVisible();
    await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
    // what failed stays chosen
    await waitFor(() => expect(screen.getByText('1 selected')).toBeVisible());
  });
});

it('tells a status that is new from one that was there, and what follows', async () => {
  desk.world.bookings[2] = { ...(desk.world.bookings[2] as DeskBooking), status: 'pending', shortId: 'PTG12K' };
  const { user } = open('/bookings');
  // the stand-in refuses every second one
  for (const code of ['PTG13K', 'PTG14K', 'PTG12K'])
    await user.click(await screen.findByRole('checkbox', { name: new RegExp(code) }));
  await user.click(await screen.findByRole('button', { name: 'Set status' }));
  expect(await screen.findByText(/Free mates are put on it/)).toBeVisible();
  await user.selectOptions(screen.getByLabelText('New status'), 'completed');
  expect(screen.getByText(/The tip is charged/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Set status now' }));
  expect(await screen.findByText('1 of 3 changed')).toBeVisible();
  const said = within(screen.getByRole('dialog'))
    .getAllByRole('listitem')
    .map((line) => line.textContent);
  expect(said).toEqual([
    'PTG13Kwas completed already',
    'PTG14KThis is not possible now. It is still cancelled.',
    'PTG12Know completed',
  ]);
});

describe('the record', () => {
  it('opens beside the list with an address of its own, and walks on with j', async () => {
    const { user, router } = open('/bookings');
    await user.click(await screen.findByRole('link', { name: /PTG10K/ }));
    const drawer = await screen.findByRole('dialog');
    expect(await within(drawer).findByText('owes $357.80 in all')).toBeVisible();
    expect(router.state.location.search).toMatchObject({ open: first().id });
    await user.keyboard('j');
    await waitFor(() => expect(router.state.location.search).toMatchObject({ open: desk.world.bookings[1]?.id }));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(router.state.location.search).not.toHaveProperty('open'));
  });

  it('draws the way by the roads, and a straight line where nobody knows them', async () => {
    Object.assign(first(), {
      pickup: { ...first().pickup, street: '1 Rue A', coords: { lat: 45.5, lon: -73.6 } },
      dropoff: { ...first().dropoff, street: '2 Rue B', coords: { lat: 45.6, lon: -73.5 } },
    });
    open(`/bookings/${first().id}`);
    const map = await screen.findByRole('img', { name: 'The way on a map, from 1 Rue A to 2 Rue B' });
    const line = () => map.querySelector('g > path')?.getAttribute('d') ?? '';
    // first straight, then with the corner of the road
    expect(line().match(/[ML]/g)).toHaveLength(2);
    await waitFor(() => expect(line().match(/[ML]/g)).toHaveLength(3));
    expect(screen.getByText('North is up. The line follows the roads.')).toBeVisible();
    expect(map.querySelectorAll('circle, rect')).toHaveLength(2);
  });

  it('says that the line is straight where the way is not known', async () => {
    server.use(http.post('*/api/geo/route', () => problem(422, 'no_route', 'No way.')));
    open(`/bookings/${first().id}`);
    expect(await screen.findByText(/Lines join places in a straight line/)).toBeVisible();
  });

  it('says what each of the crew gets of the tip', async () => {
    Object.assign(first(), {
      tips: '40.00',
      crew: [
        { mateID: 'M-0001', name: 'Ali Haddad', tip: '13.34' },
        { mateID: 'M-0002', name: 'Noah Roy', tip: '13.33' },
        { mateID: 'M-0003', name: 'Mia Tremblay', tip: '13.33' },
      ],
    });
    open(`/bookings/${first().id}`);
    expect(await screen.findByText('Parts of the tip')).toBeVisible();
    expect(screen.getByText('Ali Haddad gets $13.34, Noah Roy gets $13.33, Mia Tremblay gets $13.33')).toBeVisible();
  });

  it('says whose fault a cancellation was, beside the newest one', async () => {
    const at = '2027-02-02T15:01:00Z';
    const cancelled = (day: string) => ({
      at: at.replace('02T', `${day}T`),
      actor: null,
      actorName: null,
      role: 'ops',
      kind: 'status',
      what: { from: 'assigned', to: 'cancelled', reason: 'No truck' },
    });
    desk.world.history.set(first().id, [cancelled('03'), cancelled('04')] as unknown as DeskEvent[]);
    desk.world.bookings[0] = { ...first(), status: 'cancelled', cancelledBy: 'company' };
    open(`/bookings/${first().id}`);
    const told = await screen.findByText('on the company’s side');
    expect(told.closest('li')).toHaveTextContent('Feb 4');
  });

  it('tells the history in words, not in the codes of the calls', async () => {
    const at = '2027-02-02T15:01:00Z';
    const event = { at, actor: null, actorName: null, role: 'system' };
    const charge = (kind: string, state: string) => ({
      ...event,
      kind: 'charge',
      what: { kind, amount: '89.45', state },
    });
    desk.world.history.set(first().id, [
      charge('deposit', 'declined'),
      charge('balance', 'applied'),
      charge('refund', 'applied'),
      { ...event, kind: 'status', what: { from: 'assigned', to: 'cancelled', reason: 'payment_failed' } },
      {
        ...event,
        kind: 'edit',
        what: {
          moveAt: { before: '2027-02-10 09:00', after: '2027-02-11 13:30' },
          rideAlong: { before: false, after: true },
          total: { before: '447.25', after: '500.00' },
          items: {
            before: [
              { id: 'a', quantity: 1 },
              { id: 'b', quantity: 2 },
            ],
            after: [
              { id: 'b', quantity: 2 },
              { id: 'c', quantity: 3 },
            ],
          },
          pickupAccess: { before: [0, 0, true, 'easy'], after: [3, 1, false, 'difficult'] },
          crew: { before: [], after: ['Ali Haddad', 'Noah Roy'] },
          rooms: { before: { bedrooms: 1, stairs: 0 }, after: { bedrooms: 2, stairs: 1 } },
        },
      },
    ] as unknown as DeskEvent[]);
    open(`/bookings/${first().id}`);
    for (const words of [
      'Deposit: refused',
      'Balance: taken',
      'Refund: paid back',
      'the payment failed too often',
      /Day and time: Feb 10, 2027, 9:00 a\.m\. → Feb 11, 2027, 1:30 p\.m\./,
      'Customer rides along: no → yes',
      'Total: $447.25 → $500.00',
      'Items: 1 × a → 3 × c',
      'Access at the pickup: Ground floor, No elevator, Truck parking, Carrying: easy → Floor 3, 1 elevator, No truck parking, Carrying: difficult',
      'Who comes: – → Ali Haddad, Noah Roy',
      'Rooms: bedrooms: 1 → bedrooms: 2, stairs: 1',
    ])
      expect((await screen.findAllByText(words))[0]).toBeVisible();
  });

  it('texts the customer once however often it is pressed, and says why it did not', async () => {
    const sent: unknown[] = [];
    const codes = ['stopped', null, null];
    server.use(
      http.post('*/api/sms/send', async ({ request }) => {
        sent.push({ key: request.headers.get('Idempotency-Key'), body: await request.json() });
        const code = codes.shift();
        const rejected = code ? [{ index: 0, code }] : [];
        return HttpResponse.json({ accepted: 1 - rejected.length, rejected, reportId: 'r' }, { status: 202 });
      }),
    );
    const { user } = open(`/bookings/${first().id}`);
    await user.click(await screen.findByRole('button', { name: 'Text the customer' }));
    const dialog = await screen.findByRole('dialog', { name: /^A text to / });
    expect(await within(dialog).findByText('Reminder: your move is on March 18, 2027.')).toBeVisible();
    const send = within(dialog).getByRole('button', { name: 'Send the text' });
    await user.click(send);
    expect(await within(dialog).findByText('This number has stopped texts.')).toBeVisible();
    await waitFor(() => expect(send).not.toHaveAttribute('aria-disabled', 'true'));
    await user.dblClick(send);
    expect(await screen.findByText('The text is on its way')).toBeVisible();
    expect(sent).toHaveLength(2);
    expect(sent[1]).toMatchObject({ body: { data: [{ message_type: 'moveReminder', bookingId: first().id }] } });
    expect((sent[0] as { key: string }).key).not.toBe((sent[1] as { key: string }).key);
  });

  it('offers no text that is not true of the booking', async () => {
    Object.assign(first(), { status: 'cancelled' });
    open(`/bookings/${first().id}`);
    expect(await screen.findByRole('button', { name: 'Text the customer' })).toBeDisabled();
  });

  it('tells a text beside the letters, why it did not arrive, and that its number wants none', async () => {
    Object.assign(first(), { textsStopped: true, mailsStopped: true });
    const { user } = open(`/bookings/${first().id}`);
    expect(await screen.findByText('has stopped texts')).toBeVisible();
    expect(screen.getByText('has unsubscribed from e-mails')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Text the customer' })).toBeDisabled();
    const text = (await screen.findByText('Reminder of the move')).closest('li');
    if (!text) throw new Error('no line');
    expect(within(text).getByText('did not arrive')).toBeVisible();
    expect(within(text).getByText('Not a mobile telephone: texts do not reach it')).toBeVisible();
    await user.click(within(text).getByText('Read it'));
    expect(within(text).getByText('Text to +15145550199')).toBeVisible();
    expect(within(text).getByText('Parts billed: 2')).toBeVisible();
    expect(
      within(text).getByText('Its number at the mail or text service: SM0123456789abcdef0123456789abcdef'),
    ).toBeVisible();
  });

  it('says that a booking is not there, and offers no second try', async () => {
    open('/bookings/none');
    expect(await screen.findByRole('heading', { level: 1, name: 'This booking is not there' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'To the list' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  it('shows how the work went: hours beside those planned, photos and notes of the crew', async () => {
    const booking = { ...first(), status: 'completed' as const };
    desk.world.bookings[0] = booking;
    desk.world.work.set(booking.id, {
      plannedMinutes: 120,
      workedMinutes: 137,
      startedAt: '2027-02-10T14:04:00Z',
      finishedAt: '2027-02-10T16:21:00Z',
      crew: [
        {
          mateId: 'm1',
          name: 'Ali Haddad',
          startedAt: '2027-02-10T14:04:00Z',
          finishedAt: '2027-02-10T16:21:00Z',
          workedMinutes: 137,
        },
        { mateId: 'm2', name: 'Lea Roy' },
      ],
      photos: [
        {
          id: 'p1',
          url: '/api/photos/p1',
          stage: 'after',
          at: '2027-02-10T16:20:00Z',
          mateId: 'm1',
          name: 'Ali Haddad',
          width: 8,
          height: 6,
          bytes: 3,
        },
      ],
    });
    desk.world.notes.set(booking.id, [
      {
        id: 'n1',
        text: 'The lift is stuck',
        visibility: 'crew',
        createdAt: '2027-02-10T15:00:00Z',
        author: { id: 'user-9', name: null },
        mate: { id: 'm1', name: 'Ali Haddad' },
      },
    ]);
    server.use(http.get('*/api/photos/p1', () => HttpResponse.arrayBuffer(new ArrayBuffer(3))));
    open(`/bookings/${booking.id}`);
    const work = within(await screen.findByRole('region', { name: 'How the work went' }));
    expect(await work.findByText(/It took 2\sh\s17\smin\. Planned: 2\sh/)).toBeVisible();
    expect(work.getAllByRole('listitem')[0]).toHaveTextContent(/Ali Haddad: 2\sh\s17\smin, .+ – .+/);
    expect(work.queryByText(/Lea Roy/)).toBeNull();
    // a place for it first, then the photo
    await waitFor(() => expect(work.getByAltText('After the work, photo 1')).toBeVisible());
    const notes = within(screen.getByRole('region', { name: 'Notes' }));
    expect(await notes.findByText(/Ali Haddad \(crew\)/)).toBeVisible();
  });

  it('asks before a note that was begun is left', async () => {
    const { user, router } = open(`/bookings?open=${first().id}`);
    await user.type(await screen.findByLabelText('New note'), 'Calls back at five');
    await user.click(screen.getByRole('button', { name: 'Next record (j)' }));
    expect(await screen.findByText('Leave without saving?')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Stay here' }));
    expect(router.state.location.search).toMatchObject({ open: first().id });
    expect(screen.getByLabelText('New note')).toHaveValue('Calls back at five');
    await user.click(screen.getByRole('button', { name: 'Add the note' }));
    await waitFor(() => expect(screen.getByLabelText('New note')).toHaveValue(''));
    expect(changed('POST').at(-1)?.body).toEqual({ text: 'Calls back at five', visibility: 'staff' });
  });

  it('offers exactly the changes of status that are allowed, and asks for what they need', async () => {
    const { user } = open(`/bookings/${first().id}`);
    await user.click(await screen.findByRole('button', { name: 'Set status' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getAllByRole('radio').map((one) => [(one as HTMLInputElement).disabled])).toEqual([
      [false],
      [false],
      [true],
      [true],
      [true],
    ]);
    await user.click(dialog.getByRole('radio', { name: 'completed' }));
    const set = dialog.getByRole('button', { name: 'Set to completed' });
    expect(set).toBeDisabled();
    await user.type(dialog.getByLabelText('Reason'), 'Forgotten');
    await user.click(set);
    await waitFor(() =>
      expect(changed('PUT').at(-1)).toMatchObject({ body: { status: 'completed', reason: 'Forgotten' } }),
    );
  });

  it('sets a status of the version on screen only, and shows both when a colleague was first', async () => {
    const { user } = open(`/bookings/${first().id}`);
    await user.click(await screen.findByRole('button', { name: 'Set status' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('radio', { name: 'completed' }));
    await user.type(dialog.getByLabelText('Reason'), 'Forgotten');
    // a colleague raises the price; nothing has told this page yet
    desk.world.bookings = desk.world.bookings.map((one) =>
      one.id === first().id ? { ...one, total: '512.00', version: one.version + 1 } : one,
    );
    await user.click(dialog.getByRole('button', { name: 'Set to completed' }));
    const both = within(await dialog.findByRole('table'));
    expect(await both.findByRole('row', { name: /Total.*447\.25.*512\.00/ })).toBeVisible();
    expect(dialog.getByText('A colleague was first')).toBeVisible();
    expect(first().status).not.toBe('completed');
    await user.click(dialog.getByRole('radio', { name: 'completed' }));
    await user.click(dialog.getByRole('button', { name: 'Set to completed' }));
    await waitFor(() => expect(first().status).toBe('completed'));
    expect(changed('PUT').map((call) => call.version)).toEqual(['"1"', '"2"']);
  });

  it('cancels the version on screen only', async () => {
    const { user } = open(`/bookings/${first().id}`);
    await user.click(await screen.findByRole('button', { name: 'Cancel it' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText(reasonLabel), 'Sold the flat');
    desk.world.bookings = desk.world.bookings.map((one) =>
      one.id === first().id ? { ...one, status: 'completed', version: one.version + 1 } : one,
    );
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Cancel the booking now' })).toBeEnabled());
    await user.click(dialog.getByRole('button', { name: 'Cancel the booking now' }));
    expect(await dialog.findByRole('row', { name: /Its status.*completed/ })).toBeVisible();
    expect(first().status).toBe('completed');
  });

  it('shows what a cancellation does, and asks again when that has changed meanwhile', async () => {
    const { user } = open(`/bookings/${first().id}`);
    await user.click(await screen.findByRole('button', { name: 'Cancel it' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByLabelText(reasonLabel)).toBeRequired();
    expect(dialog.getByLabelText(reasonLabel)).toHaveAccessibleDescription('Required. It also stands in the history.');
    await user.click(dialog.getByRole('radio', { name: /customer/i }));
    expect((await dialog.findAllByText('$89.45'))[0]).toBeVisible();
    await user.type(dialog.getByLabelText(reasonLabel), 'Sold the flat');
    server.use(
      http.get('*/api/bookings/:id/cancellation', () =>
        HttpResponse.json({
          at: '2027-02-15T15:00:00Z',
          kept: '447.25',
          refunded: '198.82',
          refundNow: '0.00',
          toCharge: '357.80',
          owed: '0.00',
          rule: 'full',
        }),
      ),
    );
    await user.click(dialog.getByRole('button', { name: 'Cancel the booking now' }));
    expect(await dialog.findByText(/This has changed since/)).toBeVisible();
    // what went back before is in the sum, and said apart from what goes back now
    expect(dialog.getByText('Goes back in all, with what went back before').nextSibling).toHaveTextContent('$198.82');
    expect(dialog.getByText('Goes back, the way it was paid').nextSibling).toHaveTextContent('$0.00');
    expect(changed('PUT')).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Cancel the booking now' }));
    await waitFor(() =>
      expect(changed('PUT').at(-1)?.body).toEqual({
        status: 'cancelled',
        language: 'en',
        reason: 'Sold the flat',
        fault: 'customer',
        waive: false,
      }),
    );
  });
});

describe('a change', () => {
  it('of a booking that is not there says so, with a heading and a way back', async () => {
    open('/bookings/none/change');
    expect(await screen.findByRole('heading', { level: 1, name: 'This booking is not there' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'To the list' })).toBeVisible();
  });

  it('of a booking that cannot be fetched has a heading and a way back', async () => {
    server.use(http.get('*/api/bookings/:id', () => problem(403, 'forbidden', 'Not now.')));
    open(`/bookings/${first().id}/change`);
    expect(await screen.findByText('Not now.')).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: 'The booking could not be fetched' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'To the list' })).toBeVisible();
  });

  const begin = async () => {
    const opened = open(`/bookings/${first().id}/change`);
    const comments = await screen.findByLabelText('Comments of the customer');
    await opened.user.type(comments, 'Piano');
    return { ...opened, comments };
  };
  const save = () => screen.findByRole('button', { name: 'Save' });

  it('sends only what differs, for the version that was read, after its price was shown', async () => {
    const { user, router } = await begin();
    expect(await screen.findByText('$500.00')).toBeVisible();
    // no fee is no row: one that stands in the total comes from an earlier change
    expect(screen.queryByText('Fee for this change')).toBeNull();
    await waitFor(async () => expect(await save()).not.toHaveAttribute('aria-disabled'));
    await user.click(await save());
    await waitFor(() => expect(router.state.location.pathname).toBe(`/bookings/${first().id}`));
    expect(changed('PUT')).toMatchObject([{ body: { booking: { comments: 'Piano' } }, version: '"1"' }]);
  });

  it('shows both versions when a colleague was first, and loses nothing', async () => {
    const { user, comments } = await begin();
    await waitFor(async () => expect(await save()).not.toHaveAttribute('aria-disabled'));
    desk.world.bookings[0] = { ...first(), mateCount: 3, version: 2 };
    const shown = vi.spyOn(Element.prototype, 'scrollIntoView');
    await user.click(await save());
    const table = within(await screen.findByRole('table'));
    // it stands far above the button that was pressed
    const box = screen.getByRole('table').closest('[role="status"]');
    expect(box).toHaveFocus();
    expect(shown.mock.contexts).toContain(box);
    shown.mockRestore();
    // what was not touched here is not put back to what it was: the colleague's value is the one that is kept
    expect(table.getByRole('row', { name: 'How many mates not changed by you 3' })).toBeVisible();
    expect(table.getByRole('row', { name: /Comments of the customer Piano –/ })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Put my changes on top' }));
    expect(comments).toHaveValue('Piano');
    expect(screen.getByLabelText('How many mates')).toHaveValue(3);
    await waitFor(async () => expect(await save()).not.toHaveAttribute('aria-disabled'));
    await user.click(await save());
    await waitFor(() =>
      expect(changed('PUT').at(-1)).toMatchObject({ body: { booking: { comments: 'Piano' } }, version: '"2"' }),
    );
  });

  it('tells of the colleague where their change has moved the price, too', async () => {
    const { user } = await begin();
    await waitFor(async () => expect(await save()).not.toHaveAttribute('aria-disabled'));
    desk.world.bookings[0] = { ...first(), mateCount: 3, version: 2 };
    server.use(
      http.post('*/api/bookings/:id/preview', () =>
        HttpResponse.json({
          oldTotal: '600.00',
          newTotal: '650.00',
          changeFee: '0.00',
          difference: '50.00',
          chargeNow: '0.00',
          refundNow: '0.00',
          paymentPlan: first().paymentPlan,
          booking: first(),
        }),
      ),
    );
    await user.click(await save());
    expect(await screen.findByText('A colleague was first')).toBeVisible();
    expect(screen.queryByText(/The price has changed since you looked/)).toBeNull();
    expect(changed('PUT')).toEqual([]);
  });

  it('says its fee where there is one', async () => {
    const { user } = await begin();
    await user.click(screen.getByRole('checkbox', { name: 'The customer asked for it' }));
    const row = (await screen.findByText('Fee for this change')).closest('div');
    expect(row).toHaveTextContent('$89.45');
  });

  it('says who is taken off the move', async () => {
    const { user } = await begin();
    await waitFor(async () => expect(await save()).not.toHaveAttribute('aria-disabled'));
    server.use(
      http.post('*/api/bookings/:id/preview', () =>
        HttpResponse.json({
          oldTotal: '447.25',
          newTotal: '500.00',
          changeFee: '0.00',
          difference: '52.75',
          chargeNow: '0.00',
          refundNow: '0.00',
          paymentPlan: first().paymentPlan,
          booking: { ...first(), status: 'pending' },
          crewReleased: ['Ali Haddad', 'Zoe Roy'],
        }),
      ),
    );
    await user.click(screen.getByRole('checkbox', { name: 'The customer asked for it' }));
    expect(await screen.findByText(/the move is pending again: Ali Haddad, Zoe Roy/)).toBeVisible();
  });

  it('leads to why it is refused', async () => {
    const { user } = await begin();
    await waitFor(async () => expect(await save()).not.toHaveAttribute('aria-disabled'));
    server.use(http.put('*/api/bookings/:id', () => problem(422, 'validation_failed', 'Not like this.')));
    await user.click(await save());
    expect(await screen.findByText('Not like this.')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('alert')).toHaveFocus());
  });

  it('leads to the word of a price that has moved', async () => {
    const { user } = await begin();
    await waitFor(async () => expect(await save()).not.toHaveAttribute('aria-disabled'));
    server.use(
      http.post('*/api/bookings/:id/preview', () =>
        HttpResponse.json({
          oldTotal: '447.25',
          newTotal: '510.00',
          changeFee: '0.00',
          difference: '62.75',
          chargeNow: '0.00',
          refundNow: '0.00',
          paymentPlan: first().paymentPlan,
          booking: first(),
        }),
      ),
    );
    await user.click(await save());
    await waitFor(() => expect(screen.getByText(/The price has changed since you looked/)).toHaveFocus());
  });

  it('stays on screen when the session ends, and goes on after signing in again', async () => {
    const { comments } = await begin();
    sessionEnded();
    expect(await screen.findByText('Your session has ended. What you typed is kept')).toBeVisible();
    expect(comments).toHaveValue('Piano');
    signedInAs('ops');
    await waitFor(() => expect(screen.queryByText('Your session has ended. What you typed is kept')).toBeNull());
    expect(screen.getByLabelText('Comments of the customer')).toHaveValue('Piano');
  });
});
