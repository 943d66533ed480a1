import type { DeskBooking } from '@portage/api';
import { changeLanguage } from '@portage/i18n';
import { mockApi, someRequest } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';

import { namesOf } from '../features/bookings/new/from-request.ts';
import { desk, open, server, signedInAs, useDesk } from './render-desk.tsx';

// a whole order is begun here
vi.setConfig({ testTimeout: 30_000 });

useDesk();
beforeEach(() => {
  signedInAs('ops');
  const answer = ({ request }: { request: Request }) => mockApi(request);
  server.use(
    http.all('*/api/booking/*', answer),
    http.all('*/api/geo/*', answer),
    http.get('*/api/availability', answer),
    http.get('*/api/furniture', answer),
  );
});

const asked = (method: string) => desk.world.asked.filter((call) => call.method === method);
const request = () => desk.world.requests[0] ?? someRequest();
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

it('lists requests, and asks the server for those that stand so, that are mine, that have these words', async () => {
  desk.world.requests.push(someRequest({ id: 'request-2', name: '李雷', state: 'closed', takenBy: 'Ana Roy' }));
  const { user, router } = open('/quote-requests');
  expect(await screen.findByRole('link', { name: 'Camille Caron' })).toBeVisible();
  expect(screen.getByRole('link', { name: '李雷' })).toBeVisible();
  // free text shares what the others leave: no column is pushed out of the window
  expect(screen.getAllByRole('columnheader').filter(({ style }) => style.width.endsWith('%'))).toHaveLength(3);
  expect(screen.getByRole('link', { name: 'Camille Caron' })).toHaveAttribute('title', 'Camille Caron');
  expect(screen.getAllByText('Montréal → Not said yet')[0]).toBeVisible();
  expect(screen.getAllByText('Items that only we arrange')[0]).toBeVisible();
  await user.selectOptions(screen.getByLabelText('Request state'), 'New');
  await waitFor(() => expect(screen.queryByRole('link', { name: '李雷' })).toBeNull());
  expect(router.state.location.search).toMatchObject({ state: 'new' });
  await user.click(screen.getByRole('checkbox', { name: 'Only those I answer' }));
  await user.type(screen.getByRole('searchbox', { name: 'Name, address, number or town' }), 'caron');
  await waitFor(() =>
    expect(asked('GET').at(-1)?.query).toEqual({
      page: '1',
      per_page: '50',
      state: 'new',
      mine: 'true',
      value: 'caron',
    }),
  );
});

it('shows who asks, why it could not be booked online, and the move as they left it', async () => {
  open('/quote-requests/request-1');
  await heading('Request of Camille Caron');
  expect(screen.getByRole('link', { name: 'camille@example.test' })).toHaveAttribute(
    'href',
    'mailto:camille@example.test',
  );
  expect(screen.getByRole('link', { name: '514-555-0199' })).toHaveAttribute('href', 'tel:5145550199');
  const why = within(screen.getByRole('region', { name: 'Why not online' }));
  expect(why.getByText('Items that only we arrange')).toBeVisible();
  const move = within(screen.getByRole('region', { name: 'The move as they left it' }));
  expect(move.getByText('3500 Rue Saint-Urbain')).toBeVisible();
  expect(move.getByText('Not said yet')).toBeVisible();
  expect(move.getByText('3 mates · they help to carry')).toBeVisible();
  expect(await move.findByText(/^2 × (?!couch-3-seats)/)).toBeVisible();
  expect(move.getByText('The stairs are narrow')).toBeVisible();
});

it.each([
  ['en', /ground floor|mate|elevator|parking/i, 'Not said yet'],
  ['fr', /rez-de-chaussée|aidant|ascenseur|stationnement/i, 'À préciser'],
  ['zh', /一楼|底层|名帮手|电梯|停车/, '尚未说明'],
] as const)('tells nothing in %s that its guest did not say', async (language, never, unknown) => {
  request().bookingRequest = { pickup: null, dropoff: null, comments: 'Call me' };
  await changeLanguage(language);
  open('/quote-requests/request-1');
  const comments = await screen.findByText('Call me');
  const move = comments.closest('section') as HTMLElement;
  expect(move).not.toHaveTextContent(never);
  expect(within(move).getAllByText(unknown)).toHaveLength(4);
});

it('is taken, given back and ended, and tells when somebody else was first', async () => {
  const { user } = open('/quote-requests/request-1');
  await user.click(await screen.findByRole('button', { name: 'I answer this' }));
  expect(await screen.findByText('Ana Roy')).toBeVisible();
  expect(asked('PUT').at(-1)).toMatchObject({ body: { state: 'answering' }, version: '"1"' });
  await user.click(screen.getByRole('button', { name: 'Give it back' }));
  expect(await screen.findByText('Nobody yet')).toBeVisible();
  request().version += 1;
  await user.click(screen.getByRole('button', { name: 'End it without a booking' }));
  const alert = await screen.findByText('It stays as it was');
  expect(alert).toBeVisible();
  // what is true now is there
  await waitFor(() => expect(asked('PUT').at(-1)?.version).toBe('"3"'));
  await user.click(screen.getByRole('button', { name: 'End it without a booking' }));
  expect(await screen.findByRole('button', { name: 'Take it up again' })).toBeVisible();
});

it('opens the order form with what they said, takes it on the way, and books it for them', async () => {
  const { user, router } = open('/quote-requests/request-1');
  await user.click(await screen.findByRole('button', { name: 'Book it for them' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/bookings/new'));
  expect(asked('PUT').at(-1)?.body).toEqual({ state: 'answering' });
  expect(await screen.findByText('From the request of Camille Caron')).toBeVisible();
  const value = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;
  expect([value('First name'), value('Last name'), value('E-mail'), value('Telephone'), value('Language')]).toEqual([
    'Camille',
    'Caron',
    'camille@example.test',
    '514-555-0199',
    'fr',
  ]);
  const group = (name: string) => within(screen.getByRole('group', { name }));
  expect(group('From').getByText('3500 Rue Saint-Urbain')).toBeVisible();
  // what they had not said is asked
  await user.type(group('To').getByRole('combobox', { name: 'Address' }), '4500');
  await user.keyboard('{Enter}');
  await group('To').findByRole('button', { name: 'Another address' });
  const days = within(await screen.findByRole('group', { name: /Day of the move/ }));
  await user.click(days.getAllByRole('button', { name: /free/ })[2] as HTMLElement);
  await user.click((await screen.findAllByRole('radio', { name: /a\.m\./ }))[0] as HTMLElement);
  await user.click(screen.getByRole('checkbox', { name: 'Read to the caller, who agrees' }));
  await waitFor(() => expect(screen.getByRole('button', { name: /^Book for/ })).not.toHaveAttribute('aria-disabled'), {
    timeout: 4000,
  });
  await user.click(screen.getByRole('button', { name: /^Book for/ }));
  await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/bookings\/(?!new)/));
  const sent = asked('POST').find(({ path }) => path === '/bookings')?.body;
  expect(sent).toMatchObject({
    quoteRequestId: 'request-1',
    customer: { firstName: 'Camille', lastName: 'Caron', language: 'fr' },
    bookingRequest: { mateCount: 3, clientAsMate: true, pickupFloor: 2, comments: 'The stairs are narrow' },
  });
});

it('names its booking, and offers nothing more', async () => {
  const booking = desk.world.bookings[0] as DeskBooking;
  Object.assign(request(), { state: 'booked', bookingId: booking.id, booking: booking.shortId });
  open('/quote-requests/request-1');
  await heading('Request of Camille Caron');
  expect(screen.getByRole('link', { name: `Open booking ${booking.shortId}` })).toHaveAttribute(
    'href',
    `/dashboard/bookings/${booking.id}`,
  );
  expect(screen.queryByRole('button', { name: 'Book it for them' })).toBeNull();
});

it('says that there is none', async () => {
  server.use(http.get('*/api/quote-requests/:id', () => new HttpResponse(null, { status: 404 })));
  open('/quote-requests/nothing');
  await heading('This record is not there');
  expect(screen.getByText(/The address may be wrong/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to the list: Quote requests' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

it.each([
  ['Camille Caron', 'Camille', 'Caron'],
  [' Marie Ève de la Tour ', 'Marie Ève de la', 'Tour'],
  ['李雷', '雷', '李'],
  ['Cher', 'Cher', ''],
])('reads the name %s', (whole, firstName, lastName) => {
  expect(namesOf(whole)).toEqual({ firstName, lastName });
});
