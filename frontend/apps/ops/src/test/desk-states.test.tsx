import type { DeskBooking } from '@portage/api';
import { problem } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { delay, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';

import { desk, open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();
beforeEach(() => signedInAs('ops'));

const first = () => desk.world.bookings[0] as DeskBooking;
const asked = (path: string) => desk.world.asked.filter((call) => call.method === 'GET' && call.path === path);
const retry = () => screen.queryByRole('button', { name: 'Try again' });

describe('a record that is not there', () => {
  it.each([
    ['/bookings?open=not-an-id', 'This booking is not there'],
    ['/messages?open=not-an-id', 'This record is not there'],
    ['/partners?open=not-an-id', 'This record is not there'],
    ['/partners?open=not-an-id&edit=true', 'This record is not there'],
    ['/mates?open=not-an-id', 'This record is not there'],
    ['/trucks?open=not-an-id', 'This record is not there'],
    ['/discounts?open=not-an-id', 'This record is not there'],
  ])('beside the list %s is named so, and cannot be tried again', async (path, title) => {
    open(path);
    const drawer = await screen.findByRole('dialog', { name: title });
    expect(within(drawer).getByText(/The address may be wrong/)).toBeVisible();
    expect(within(drawer).queryByText(/^Loading/)).toBeNull();
    expect(retry()).toBeNull();
  });

  it.each(['/invoices/batch/not-an-id', '/invoices/partner/not-an-id', '/quote-requests/not-an-id'])(
    'as the page %s is named so, and cannot be tried again',
    async (path) => {
      server.use(http.get('*/api/partner/:id/uninvoiced', () => problem(404, 'not_found', 'Not found')));
      open(path);
      expect(await screen.findByRole('heading', { level: 1, name: 'This record is not there' })).toBeVisible();
      expect(screen.getByRole('link', { name: /^Back to the list/ })).toBeVisible();
      expect(retry()).toBeNull();
    },
  );

  it('is not shown as the list had it', async () => {
    server.use(http.get('*/api/bookings/:id', () => problem(404, 'not_found', 'Not found')));
    open(`/bookings?open=${first().id}`);
    const drawer = await screen.findByRole('dialog', { name: 'This booking is not there' });
    expect(within(drawer).queryByText(first().shortId)).toBeNull();
  });

  it('has no second try where its customer is asked for a card', async () => {
    open('/card?booking=not-an-id');
    expect(await screen.findByRole('alert')).toBeVisible();
    expect(retry()).toBeNull();
  });
});

describe('a record that could not be fetched', () => {
  it.each([
    ['/bookings?open=not-in-the-list', '*/api/bookings/:id', 'The booking could not be fetched'],
    ['/messages?open=message-1', '*/api/messages/:id', 'The message could not be read'],
    ['/partners?open=not-in-the-list', '*/api/partner/:id', 'This partner could not be fetched'],
  ])('beside the list %s says so in its heading, and is tried again', async (path, call, title) => {
    server.use(http.get(call, () => problem(403, 'forbidden', 'Not now.')));
    open(path);
    const drawer = await screen.findByRole('dialog', { name: title });
    expect(within(drawer).getByText('Not now.')).toBeVisible();
    expect(within(drawer).getByRole('button', { name: 'Try again' })).toBeVisible();
  });
});

describe('a list whose filters hide everything', () => {
  it.each([
    ['/quote-requests?value=ZZZZ99&state=closed&mine=true', 'No request here', '/quote-requests'],
    ['/messages?value=ZZZZ99&channel=sms&standing=dropped&report=r-1', 'No message here', '/messages'],
  ])('%s says so, and clears them', async (path, empty, list) => {
    server.use(
      http.get(`*/api${list}`, ({ request }) => {
        const query = Object.fromEntries(new URL(request.url).searchParams);
        desk.world.asked.push({ method: 'GET', path: list, query, body: null, version: null });
        return Response.json({ data: [], total: 0, page: 1, perPage: 50 });
      }),
    );
    const { user, router } = open(path);
    expect(await screen.findByText('Nothing fits these filters')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Clear all' }));
    expect(await screen.findByText(empty)).toBeVisible();
    expect(router.state.location.search).toEqual({});
    expect(Object.keys(asked(list).at(-1)?.query ?? {})).toEqual(['page', 'per_page']);
  });

  it('is searched for a number that the address has without quotes', async () => {
    open('/messages?value=5145550199');
    await screen.findByRole('grid');
    await waitFor(() => expect(asked('/messages').at(-1)?.query).toMatchObject({ value: '5145550199' }));
    expect(screen.getByRole('searchbox')).toHaveValue('5145550199');
  });
});

describe('what a list does not know of its address', () => {
  it.each([
    ['/invoices?nope=1&state=draft,gone', /does not know: State, nope\. They are left out/],
    ['/audit?nope=1', /does not know: nope\. It is left out/],
    ['/messages?nope=1&channel=pigeon', /does not know: By which way, nope\. They are left out/],
    ['/quote-requests?mine=perhaps', /does not know: mine\. It is left out/],
    ['/partners?nope=1', /does not know: nope/],
    ['/mates?nope=1', /does not know: nope/],
    ['/trucks?nope=1', /does not know: nope/],
    ['/discounts?nope=1', /does not know: nope/],
    ['/rates?nope=1', /does not know: nope/],
    ['/templates?nope=1', /does not know: nope/],
    ['/members?nope=1', /does not know: nope/],
    ['/jobs?nope=1', /does not know: nope/],
    ['/failed-charges?nope=1', /does not know: nope/],
  ])('is said: %s, and taken out of it', async (path, words) => {
    const { user, router } = open(path);
    const said = await screen.findByText(words);
    expect(said).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Take out of the address' }));
    await waitFor(() => expect(said).not.toBeInTheDocument());
    for (const name of ['nope', 'channel', 'mine']) expect(router.state.location.search).not.toHaveProperty(name);
  });

  it.each([
    '/invoices?value=roy&state=draft&kind=move&days=last7&page=2&perPage=50&rows=roomy&lang=en',
    '/audit?booking=PTG10K&actor=ana&days=last7',
    '/messages?value=roy&channel=sms&standing=sent&open=message-1&report=r-1',
    '/quote-requests?value=roy&state=new&mine=true',
    '/partners?q=roy&state=active&open=new',
    '/failed-charges?page=2&disputes.page=2',
  ])('is nothing of its own: %s', async (path) => {
    open(path);
    // what stands beside the list may hide it
    expect(await screen.findAllByRole('grid', { hidden: true })).not.toHaveLength(0);
    expect(screen.queryByText(/does not know/)).toBeNull();
  });
});

describe('a page whose record is on its way', () => {
  it.each([
    ['/bookings/some/change', '*/api/bookings/:id', 'Loading the booking'],
    ['/quote-requests/request-1', '*/api/quote-requests/:id', 'Loading the request'],
    ['/bookings/new?request=request-1', '*/api/quote-requests/:id', 'New booking'],
    ['/rates/rate-1/edit', '*/api/rates/:id', 'Loading the figures'],
    ['/templates/bookingConfirmation/en', '*/api/templates/:type/:language', 'Fetching the message'],
    ['/invoices/batch/batch-1', '*/api/invoices/:id', 'Invoice of the partner'],
    ['/invoices/partner/partner-1', '*/api/partner/:id/uninvoiced', 'Invoice of the partner'],
  ])('%s has a heading that says so', async (path, call, title) => {
    server.use(http.get(call, () => delay('infinite')));
    open(path);
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible();
  });
});
