import type { DeskBooking } from '@portage/api';
import { braintreeStandIn, mockConfig, problem } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';

import { desk, open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();
beforeEach(() => signedInAs('ops'));

type User = ReturnType<typeof open>['user'];
const first = () => desk.world.bookings[0] as DeskBooking;
const stored = () => desk.world.asked.filter((call) => call.method === 'POST' && call.path.endsWith('/card'));
const begin = async () => {
  const opened = open(`/card?booking=${first().id}`);
  await screen.findByRole('heading', { level: 2, name: 'The card' });
  return opened;
};
async function fill(user: User) {
  await user.type(await screen.findByLabelText('Card number'), '4111 1111 1111 1111');
  await user.type(screen.getByLabelText('Expiry date'), '1230');
  await user.type(screen.getByLabelText('Security code'), '123');
  await user.type(screen.getByLabelText('Name on the card'), 'Nadia Roy');
}
const agree = (user: User) => user.click(screen.getByRole('checkbox', { name: /agrees that this card is kept/ }));
const keep = () => screen.getByRole('button', { name: 'Keep the card' });

describe('whose card it is', () => {
  it('is found by number, address or name, and stands in the address of the page', async () => {
    const { user, router } = open('/card');
    await user.type(await screen.findByLabelText('Whose card is it?'), first().customerName);
    await user.click(await screen.findByRole('button', { name: new RegExp(first().customerEmail) }));
    // what took the button's place has the focus
    expect(await screen.findByRole('heading', { level: 2, name: first().customerName })).toHaveFocus();
    expect(router.state.location.search).toEqual({ booking: expect.any(String) as string });
    await user.click(screen.getByRole('button', { name: 'Another customer' }));
    expect(await screen.findByLabelText('Whose card is it?')).toHaveFocus();
    expect(router.state.location.search).toEqual({});
  });

  it('says what to do when nobody is found', async () => {
    const { user } = open('/card');
    // one Chinese character is a word
    await user.type(await screen.findByLabelText('Whose card is it?'), '李');
    expect(await screen.findByRole('button', { name: /李雨桐/ })).toBeVisible();
    await user.clear(screen.getByLabelText('Whose card is it?'));
    await user.type(screen.getByLabelText('Whose card is it?'), 'nobody at all');
    expect(await screen.findByText(/make the booking first/)).toBeVisible();
  });

  it('says so when the booking is not there', async () => {
    server.use(http.get('*/api/bookings/:id/customer', () => problem(404, 'not_found', 'Not found')));
    open('/card?booking=01900000-0000-7000-8000-000000000000');
    expect(await screen.findByText('The customer of this booking could not be fetched')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Another customer' })).toBeVisible();
  });

  it('is led to from the record of a booking', async () => {
    const { user, router } = open(`/bookings/${first().id}`);
    await user.click(await screen.findByRole('link', { name: 'Keep a card for this customer' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/card'));
    await screen.findByRole('heading', { level: 2, name: first().customerName });
  });
});

describe('the card', () => {
  it('is kept once the customer agrees, under a key of its own', async () => {
    const { user } = await begin();
    await fill(user);
    await user.click(keep());
    // in the summary and at the box
    expect(await screen.findAllByText(/Ask the customer first/)).toHaveLength(2);
    expect(stored()).toEqual([]);
    await agree(user);
    await user.dblClick(keep());
    expect(await screen.findByText('Visa ending in 1111')).toBeVisible();
    await waitFor(() => expect(screen.getByText('Visa ending in 1111').closest('[role="status"]')).toHaveFocus());
    expect(screen.getByText(/are tried again with it now/)).toBeVisible();
    expect(stored().map(({ path }) => path)).toEqual([`/bookings/${first().id}/card`]);
  });

  it('names everything that is missing in one summary, until it is there', async () => {
    const { user } = await begin();
    await screen.findByLabelText('Card number');
    await user.click(keep());
    const summary = await screen.findByRole('alert');
    await waitFor(() => expect(summary).toHaveFocus());
    const lines = () =>
      within(summary)
        .getAllByRole('link')
        .map((line) => line.textContent);
    expect(lines()).toEqual([
      'Card number is required.',
      'Expiry date is required.',
      'Security code is required.',
      'Name on the card is required.',
      expect.stringMatching(/^Ask the customer first/),
    ]);
    await user.click(within(summary).getByRole('link', { name: 'Card number is required.' }));
    expect(screen.getByLabelText('Card number')).toHaveFocus();
    await user.type(screen.getByLabelText('Card number'), '4111 1111 1111 1111');
    await agree(user);
    await waitFor(() => expect(lines()).toHaveLength(3));
    await user.click(keep());
    await waitFor(() => expect(screen.getByRole('alert')).toHaveFocus());
    expect(stored()).toEqual([]);
  });

  it('names what is missing in the gateway’s own fields in that summary, too', async () => {
    const gateway = braintreeStandIn();
    gateway.wrong = ['number', 'cvv'];
    server.use(
      http.get('*/api/config', () =>
        HttpResponse.json({
          ...mockConfig,
          issuer: 'http://localhost:8080/identity',
          payments: { provider: 'braintree' },
        }),
      ),
      http.post('*/api/payment/client', () => HttpResponse.json({ clientToken: 'token' })),
    );
    const { user } = await begin();
    await waitFor(() => expect(document.querySelectorAll('main iframe')).toHaveLength(4));
    await user.click(keep());
    const summary = await screen.findByRole('alert');
    await waitFor(() => expect(summary).toHaveFocus());
    expect(
      within(summary)
        .getAllByRole('listitem')
        .map((line) => line.textContent),
    ).toEqual([
      expect.stringMatching(/^Check the card number/),
      expect.stringMatching(/^Enter the security code/),
      expect.stringMatching(/^Ask the customer first/),
    ]);
    gateway.wrong = [];
    gateway.tokens = ['invalid'];
    await agree(user);
    await user.click(keep());
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Enter the expiry date'));
    expect(screen.getByRole('alert')).toHaveFocus();
    expect(stored()).toEqual([]);
    await user.click(keep());
    expect(await screen.findByText('Visa ending in 1111')).toBeVisible();
    gateway.stop();
  });

  it('is refused in our words, and another one is taken', async () => {
    server.use(
      http.post('*/api/bookings/:id/card', () => problem(402, 'payment_declined', 'Do Not Honor'), { once: true }),
    );
    const { user } = await begin();
    await fill(user);
    await agree(user);
    await user.click(keep());
    expect(await screen.findByText('The card was not kept')).toBeVisible();
    expect(document.activeElement).toContainElement(screen.getByText('The card was not kept'));
    expect(document.body).not.toHaveFocus();
    expect(screen.queryByText(/Do Not Honor/)).toBeNull();
    await user.click(keep());
    expect(await screen.findByText('Visa ending in 1111')).toBeVisible();
  });

  it('keeps what was entered when the answer is lost', async () => {
    server.use(http.post('*/api/bookings/:id/card', () => HttpResponse.error(), { once: true }));
    const { user } = await begin();
    await fill(user);
    await agree(user);
    await user.click(keep());
    expect(await screen.findByText('The card was not kept')).toBeVisible();
    expect(screen.getByLabelText('Card number')).toHaveValue('4111 1111 1111 1111');
  });
});
