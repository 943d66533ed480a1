import type { DeskBooking } from '@portage/api';
import { mockApi, mockFigures, mockTerms, problem } from '@portage/mock-api';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { sessionEnded } from '../shell/session.ts';
import { desk, open, server, signedInAs, useDesk } from './render-desk.tsx';

vi.mock('../../../../packages/frame/src/leave.ts', () => ({ leaveFor: vi.fn() }));

// whole orders are typed here
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

type User = ReturnType<typeof open>['user'];
const first = () => desk.world.bookings[0] as DeskBooking;
const posted = () => desk.world.asked.filter((call) => call.method === 'POST' && call.path === '/bookings');
const group = (name: string) => within(screen.getByRole('group', { name }));
const begin = async () => {
  const opened = open('/bookings/new');
  await screen.findByRole('heading', { level: 1, name: 'New booking' });
  return opened;
};
const bookButton = () => screen.getByRole('button', { name: /^Book / });

function typeCaller() {
  for (const [label, value] of [
    ['Telephone', '438 555 0111'],
    ['E-mail', 'new@example.test'],
    ['First name', 'Noa'],
    ['Last name', 'Singh'],
  ] as const)
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
}
async function chooseMove(user: User) {
  for (const [name, words] of [
    ['From', '3575'],
    ['To', '4500'],
  ] as const) {
    await user.type(group(name).getByRole('combobox', { name: 'Address' }), words);
    await user.keyboard('{Enter}');
    await group(name).findByRole('button', { name: 'Another address' });
  }
  const homes = within(await screen.findByRole('group', { name: 'Start from a home like yours' }));
  await user.click(homes.getAllByRole('button')[0] as HTMLElement);
  const days = within(await screen.findByRole('group', { name: /Day of the move/ }));
  await user.click(days.getAllByRole('button', { name: /free/ })[2] as HTMLElement);
  await user.click((await screen.findAllByRole('radio', { name: /a\.m\./ }))[0] as HTMLElement);
}
async function priced() {
  await waitFor(() => expect(screen.getByTestId('total')).toHaveTextContent(/\$\d/), { timeout: 4000 });
  await waitFor(() => expect(bookButton()).not.toHaveAttribute('aria-disabled'), { timeout: 4000 });
}

describe('the way to it', () => {
  it('is a button of the list and a key', async () => {
    const { user, router } = open('/bookings');
    await user.click(await screen.findByRole('button', { name: 'New booking' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/bookings/new'));
    await user.keyboard('gb');
    await waitFor(() => expect(router.state.location.pathname).toBe('/bookings'));
    await screen.findByRole('grid');
    await user.keyboard('n');
    await waitFor(() => expect(router.state.location.pathname).toBe('/bookings/new'));
  });
});

describe('who is calling', () => {
  it('fills in a known customer by the whole number, in any writing', async () => {
    desk.world.bookings = desk.world.bookings.map((one, index) => ({
      ...one,
      customerId: index === 0 ? 'customer-1' : `other-${index}`,
      customerPhone: index === 0 ? '514-555-0199' : '514-555-0000',
      customerEmail: index === 0 ? 'camille@example.test' : `else-${index}@example.test`,
    }));
    // the real search finds digits in any writing
    server.use(http.get('*/api/search', () => HttpResponse.json({ data: desk.world.bookings, total: 12 })));
    const { user } = await begin();
    await user.type(screen.getByLabelText('Telephone'), '+1 514.555.0199');
    await waitFor(() => expect(screen.getByLabelText('First name')).toHaveValue('Camille'), { timeout: 8000 });
    expect(screen.getByLabelText('Last name')).toHaveValue('Roy');
    expect(screen.getByLabelText('E-mail')).toHaveValue('camille@example.test');
    expect(screen.getByText(/Known customer: 3 moves, card on file, owes \$357\.80 in all/)).toBeVisible();
    // only now there is a card that can be charged
    await user.click(screen.getByRole('radio', { name: /Stored card/ }));
    await user.type(screen.getByLabelText('E-mail'), 'x');
    expect(screen.queryByRole('radio', { name: /Stored card/ })).toBeNull();
    expect(screen.getByRole('radio', { name: /Link by e-mail/ })).toBeChecked();
  });

  it('finds a customer by one Chinese character of the name', async () => {
    const { user } = await begin();
    await user.type(screen.getByLabelText('Last name'), '李');
    await user.click(await screen.findByRole('button', { name: /李雨桐/ }));
    await waitFor(() => expect(screen.getByText(/Known customer: 3 moves/)).toBeVisible());
  });

  it('offers those that fit, and takes nobody for somebody else by itself', async () => {
    server.use(http.get('*/api/search', () => HttpResponse.json({ data: desk.world.bookings, total: 12 })));
    desk.world.bookings = desk.world.bookings.map((one, index) => ({ ...one, customerId: `c${index}` }));
    const { user } = await begin();
    await user.type(screen.getByLabelText('Telephone'), '514 555 0199');
    const list = await screen.findByRole('list', { name: '' }).catch(() => null);
    expect(list ?? document.body).toBeVisible();
    await user.click(await screen.findByRole('button', { name: /Amira Haddad/ }));
    await waitFor(() => expect(screen.getByLabelText('First name')).toHaveValue('Amira'));
  });
});

describe('what is said of cancelling', () => {
  it('has the hours of the move, and names whose they are', async () => {
    const zone = 'America/Vancouver';
    server.use(
      http.post('*/api/booking/payment-plan', () =>
        HttpResponse.json({
          mode: 'split',
          zone,
          terms: [...mockTerms],
          policy: mockFigures,
          charges: [],
          cancellation: [
            { from: '2027-02-01T15:00:00Z', until: '2027-02-02T17:00:00Z', untilInclusive: true, kept: '0.00' },
            { from: '2027-02-02T17:00:00Z', until: null, untilInclusive: false, kept: '89.45' },
          ],
        }),
      ),
    );
    const { user } = await begin();
    typeCaller();
    await chooseMove(user);
    await priced();
    expect(await screen.findByText(/^free until Feb 2, 2027, 9:00.a\.m\.$/)).toBeVisible();
    expect(screen.getByText('All times are Vancouver time.')).toBeVisible();
  });
});

describe('a booking', () => {
  it('is not made before its price is there: the button keeps its place, and says why', async () => {
    let answer = () => {};
    const told = new Promise<void>((done) => {
      answer = done;
    });
    const { user } = await begin();
    typeCaller();
    server.use(http.all('*/api/booking/*', ({ request }) => told.then(() => mockApi(request))));
    await chooseMove(user);
    const book = bookButton();
    expect(book).toHaveAttribute('aria-disabled', 'true');
    await user.click(book);
    expect(book).toHaveFocus();
    const why = 'What it costs is still being worked out. Press again once it stands here.';
    expect(within(book.closest('form') as HTMLElement).getByText(why)).toBeVisible();
    answer();
    await priced();
    expect(screen.queryByText(why, { selector: 'form *' })).toBeNull();
    expect(posted()).toEqual([]);
  });

  it('is made with the price that was said, by link, and says what was sent to whom', async () => {
    const { user, router } = await begin();
    typeCaller();
    await chooseMove(user);
    await priced();
    const total = screen.getByTestId('total').textContent;
    await user.click(screen.getByRole('checkbox', { name: 'Read to the caller, who agrees' }));
    await user.click(bookButton());
    await waitFor(() => expect(router.state.location.pathname).toBe('/bookings/00000000-0000-7000-8000-00000000ca11'));
    const [call] = posted();
    expect(call?.body).toMatchObject({
      customer: {
        email: 'new@example.test',
        firstName: 'Noa',
        lastName: 'Singh',
        phone: '438 555 0111',
        language: 'en',
      },
      payment: 'link',
      bookingRequest: {
        bookingType: 'residential',
        mateCount: 2,
        guidelinesAgreed: true,
        language: 'en',
        expectedTotal: total?.replaceAll(/[$,]/g, ''),
        pickup: { postalCode: 'H2X 3P9' },
        dropoff: { postalCode: 'H7T 2Y3' },
      },
    });
    expect(call?.key).toMatch(/^[\da-f-]{36}$/);
    expect(
      (
        await screen.findAllByText(new RegExp(`CA11ER is booked\\. .* link to pay \\${total} went to new@example.test`))
      )[0],
    ).toBeVisible();
    expect(sessionStorage.getItem('portage.desk.kept.order')).toBeNull();
  });

  it('says at the fields what is missing, and sends nothing', async () => {
    const { user } = await begin();
    await user.click(screen.getByRole('button', { name: 'Book now' }));
    const summary = within(await screen.findByRole('alert'));
    for (const words of ['Telephone is required.', 'Choose a day and a start.', 'Choose a home or some pieces.'])
      expect(summary.getByRole('link', { name: words })).toBeVisible();
    expect(screen.getByLabelText('Telephone')).toHaveAccessibleDescription('Telephone is required.');
    expect(posted()).toEqual([]);
  });

  it('puts refusals at their fields, and keeps what was typed', async () => {
    const { user } = await begin();
    typeCaller();
    await chooseMove(user);
    await priced();
    await user.click(screen.getByRole('checkbox', { name: 'Read to the caller, who agrees' }));
    server.use(
      http.post(
        '*/api/bookings',
        () =>
          problem(422, 'validation_failed', 'Wrong.', {
            errors: [
              { field: 'customer.email', code: 'invalid', message: 'This address cannot get mail.' },
              { field: 'bookingRequest.pickupFloor', code: 'out_of_range', message: 'There is no such floor.' },
            ],
          }),
        { once: true },
      ),
    );
    await user.click(bookButton());
    expect(await screen.findAllByText('This address cannot get mail.')).toHaveLength(2);
    expect(group('From').getByLabelText(/^Floor/)).toHaveAccessibleDescription('There is no such floor.');
    expect(screen.getByLabelText('Last name')).toHaveValue('Singh');
  });

  it('offers other starts when the chosen one is gone, with a new key', async () => {
    const { user, router } = await begin();
    typeCaller();
    await chooseMove(user);
    await priced();
    await user.click(screen.getByRole('checkbox', { name: 'Read to the caller, who agrees' }));
    const keys: (string | null)[] = [];
    server.use(
      http.post(
        '*/api/bookings',
        ({ request }) => {
          keys.push(request.headers.get('Idempotency-Key'));
          return problem(409, 'slot_gone', 'Gone.', {
            alternatives: [{ date: '2027-02-18', time: '13:30', startsAt: '2027-02-18T18:30:00Z' }],
          });
        },
        { once: true },
      ),
    );
    await user.click(bookButton());
    await user.click(await screen.findByRole('button', { name: /1:30.p\.m\./ }));
    await priced();
    await user.click(bookButton());
    await waitFor(() => expect(router.state.location.pathname).toContain('ca11'));
    expect(posted().at(-1)?.body).toMatchObject({ bookingRequest: { date: '2027-02-18', time: '13:30' } });
    expect(posted().at(-1)?.key).not.toBe(keys[0]);
  });

  it('sends the same content with the same key when no answer came', async () => {
    const { user, router } = await begin();
    typeCaller();
    await chooseMove(user);
    await priced();
    await user.click(screen.getByRole('checkbox', { name: 'Read to the caller, who agrees' }));
    const keys: (string | null)[] = [];
    server.use(
      http.post(
        '*/api/bookings',
        ({ request }) => {
          keys.push(request.headers.get('Idempotency-Key'));
          return HttpResponse.error();
        },
        { once: true },
      ),
    );
    await user.click(bookButton());
    expect(await screen.findByText(/the same content is booked only once/)).toBeVisible();
    expect(document.activeElement).toHaveTextContent(/the same content is booked only once/);
    expect(document.body).not.toHaveFocus();
    await user.click(bookButton());
    await waitFor(() => expect(router.state.location.pathname).toContain('ca11'));
    expect(posted().at(-1)?.key).toBe(keys[0]);
  });

  it('says another price before it books at it', async () => {
    const { user, router } = await begin();
    typeCaller();
    await chooseMove(user);
    await priced();
    await user.click(screen.getByRole('checkbox', { name: 'Read to the caller, who agrees' }));
    server.use(
      http.post('*/api/bookings', () => problem(409, 'price_changed', 'Changed.', { total: '999.00' }), { once: true }),
    );
    await user.click(bookButton());
    expect(await screen.findByText(/The price is now \$999\.00/)).toHaveFocus();
    await user.click(screen.getByRole('button', { name: 'Book for $999.00' }));
    await waitFor(() => expect(router.state.location.pathname).toContain('ca11'));
    expect(posted().at(-1)?.body).toMatchObject({ bookingRequest: { expectedTotal: '999.00' } });
  });

  it('stays through the end of a session and through a reload, and goes with signing out', async () => {
    const { user } = await begin();
    await user.type(screen.getByLabelText('First name'), 'Noa');
    sessionEnded();
    expect(await screen.findByText('Your session has ended. What you typed is kept')).toBeVisible();
    expect(screen.getByLabelText('First name')).toHaveValue('Noa');
    expect(JSON.parse(sessionStorage.getItem('portage.desk.kept.order') ?? '{}')).toMatchObject({
      owner: 'user-1',
      value: { caller: { firstName: 'Noa' } },
    });
  });

  it('comes back after a reload, and can be begun anew', async () => {
    const { user } = await begin();
    fireEvent.change(screen.getByLabelText('First name'), { target: { value: 'Noa' } });
    document.body.replaceChildren();
    const again = open('/bookings/new');
    expect(await screen.findByText(/This is the call you were on/)).toBeVisible();
    expect(screen.getByLabelText('First name')).toHaveValue('Noa');
    await again.user.click(screen.getByRole('button', { name: 'Begin anew' }));
    expect(screen.getByLabelText('First name')).toHaveValue('');
    expect(user).toBeDefined();
  });
});

describe('paying by link, on the record', () => {
  const byLink = () => {
    desk.world.bookings[0] = { ...first(), payment: 'link', paymentState: 'none', paymentLink: null };
  };

  it('says how it is paid, and sends a link that ends the one before', async () => {
    byLink();
    const { user } = open(`/bookings/${first().id}`);
    expect((await screen.findAllByText('To be paid by link'))[0]).toBeVisible();
    expect(screen.queryByText('Way of payment: link')).toBeNull();
    expect(screen.getByText('No link works at the moment')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Send payment link' }));
    expect(await screen.findByText(/^Link sent to .+, works until Feb/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Send payment link again' })).toBeVisible();
    expect(desk.world.asked.at(-1)).toMatchObject({ method: 'POST', path: `/bookings/${first().id}/payment-link` });
  });

  it.each([
    ['nothing_owed', 'Nothing is owed for this booking.'],
    ['paid_by_card', /charged to the card on file/],
  ] as const)('says in words why none is sent: %s', async (code, words) => {
    byLink();
    const { user } = open(`/bookings/${first().id}`);
    await screen.findAllByText('To be paid by link');
    server.use(http.post('*/api/bookings/:id/payment-link', () => problem(409, code, 'raw')));
    await user.click(screen.getByRole('button', { name: 'Send payment link' }));
    expect(await screen.findByText(words)).toBeVisible();
    expect(screen.queryByText('raw')).toBeNull();
  });

  it('is not offered where the stored card pays', async () => {
    open(`/bookings/${first().id}`);
    expect((await screen.findAllByText('To be paid by card'))[0]).toBeVisible();
    expect(screen.queryByRole('button', { name: /payment link/ })).toBeNull();
  });

  it('is not offered once nothing is owed', async () => {
    desk.world.bookings[0] = {
      ...first(),
      payment: 'link',
      paymentState: 'paid',
      owed: '0.00',
      paymentLink: { expiresAt: '2027-02-10T15:00:00Z', sentTo: 'ana@example.test' },
    };
    open(`/bookings/${first().id}`);
    expect((await screen.findAllByText('Way of payment: link'))[0]).toBeVisible();
    expect(screen.queryByRole('button', { name: /payment link/ })).toBeNull();
    expect(screen.queryByText(/^Link sent to/)).toBeNull();
  });

  it('says of how much a part was paid back, and nothing of a way to pay where nobody paid', async () => {
    const paid = { dueAt: '2027-02-01T15:00:00Z', settledAt: '2027-02-01T15:00:00Z', attempts: [] };
    desk.world.bookings[0] = {
      ...first(),
      status: 'cancelled',
      payment: 'link',
      paymentState: 'partially_refunded',
      owed: '0.00',
      netPaid: '89.45',
      payments: [
        { ...paid, id: 'p1', kind: 'full', state: 'partially_refunded', amount: '447.25' },
        { ...paid, id: 'p2', kind: 'refund', state: 'settled', amount: '357.80' },
      ],
    } as unknown as DeskBooking;
    desk.world.bookings[1] = {
      ...(desk.world.bookings[1] as DeskBooking),
      status: 'cancelled',
      payment: 'link',
      paymentState: 'none',
      owed: '0.00',
    };
    const { router } = open(`/bookings/${first().id}`);
    expect(await screen.findByText('$357.80 of $447.25 paid back')).toBeVisible();
    expect(await screen.findByText('Taken in all')).toBeVisible();
    await router.navigate({ to: '/bookings/$id', params: { id: desk.world.bookings[1]?.id ?? '' } });
    await screen.findByRole('heading', { level: 1, name: /PTG11K/ });
    expect(screen.queryByText(/by link/)).toBeNull();
  });
});

describe('the list', () => {
  it('filters by how a booking is paid, and has the worklist of those that wait for the customer', async () => {
    const { user, router } = open('/bookings');
    await user.click(await screen.findByRole('link', { name: /Waiting for the customer/ }));
    await waitFor(() =>
      expect(router.state.location.search).toMatchObject({
        by: 'link',
        payment: 'none,deposit_paid',
        status: 'pending,assigned',
      }),
    );
    await waitFor(() =>
      expect(
        JSON.parse(desk.world.asked.filter(({ path }) => path === '/filter').at(-1)?.query['filters'] ?? '{}'),
      ).toEqual({ payment: ['link'], paymentState: ['none', 'deposit_paid'], status: ['pending', 'assigned'] }),
    );
    expect(screen.getAllByText(/Way of payment/)[0]).toBeVisible();
  });
});
