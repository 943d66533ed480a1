import { queryClient } from '@portage/frame';
import { braintreeStandIn, freshLink, linkHandlers, type LinkWorld, mockConfig, problem } from '@portage/mock-api';
import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { lateRead } from '../../test/late-read.ts';
import { calls, renderApp, server, signInForTest, useApp } from '../../test/render-app.tsx';

const signIn = vi.hoisted(() =>
  vi.fn<(returnTo?: string, screen?: 'signup') => Promise<void>>(() => Promise.resolve()),
);
vi.mock('../../shell/session.ts', async (original) => ({ ...(await original<object>()), signIn }));

useApp();

let world: LinkWorld;
const path = '/pay/a-secret-token';

beforeEach(() => {
  world = freshLink();
  server.use(
    ...linkHandlers(world),
    http.post('*/simulators/braintree/tokenize', () => HttpResponse.json({ nonce: 'nonce-1' })),
  );
});
afterEach(() => vi.restoreAllMocks());

const open = () => renderApp(path);
type User = Awaited<ReturnType<typeof open>>['user'];
async function fill(user: User, number = '4111 1111 1111 1111') {
  await user.type(await screen.findByLabelText('Card number'), number);
  await user.type(screen.getByLabelText('Expiry date'), '1230');
  await user.type(screen.getByLabelText('Security code'), '123');
  await user.type(screen.getByLabelText('Name on the card'), 'Camille Roy');
}
const button = () => screen.getByTestId('pay');
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

it('shows what is paid for, the one amount, and that nothing else is charged', async () => {
  await open();
  await heading('Pay for your move');
  const stub = screen.getByRole('region', { name: 'What you pay for' });
  for (const said of ['PTG4K7', 'Montréal', 'Laval', 'Wednesday, February 17, 2027, 9:00 a.m.', '$447.25'])
    expect(stub).toHaveTextContent(said);
  expect(screen.getByText(/Hello Camille\./)).toBeVisible();
  expect(screen.getByText(/charged \$447\.25 once, now, and nothing else\./)).toBeVisible();
  expect(button()).toHaveTextContent('Pay $447.25');
});

it('stays paid when a read that was asked for before comes after the answer', async () => {
  const { user } = await open();
  await fill(user);
  const arrive = await lateRead('*/api/pay/:id', { ...world.link });
  await user.click(button());
  await heading('Thank you, Camille');
  await arrive();
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Thank you, Camille');
});

it('says what went back to the card, what is still planned, and not that all is paid', async () => {
  world.link = world.link && {
    ...world.link,
    amount: '30.00',
    wentBack: '30.00',
    later: '357.80',
    laterAt: '2027-02-15T14:00:00Z',
  };
  const { user } = await open();
  await heading('Pay for your move');
  expect(screen.getByText(/\$30\.00 that you had paid went back to your card/)).toBeVisible();
  expect(screen.getByText(/\$357\.80 is planned besides/)).toBeVisible();
  expect(screen.queryByText(/what is left to pay for your move/)).toBeNull();
  await fill(user);
  await user.click(button());
  await heading('Thank you, Camille');
  expect(screen.getByText(/\$357\.80 is planned besides/)).toBeVisible();
  expect(screen.queryByText(/Nothing is left to pay for booking/)).toBeNull();
  expect(screen.queryByText('all paid')).toBeNull();
});

it('keeps its address to itself', async () => {
  const { unmount } = await open();
  await heading('Pay for your move');
  expect(document.head.querySelector('meta[name="robots"]')).toHaveAttribute('content', 'noindex, nofollow');
  expect(document.head.querySelector('meta[name="referrer"]')).toHaveAttribute('content', 'no-referrer');
  expect(document.title).not.toContain('a-secret-token');
  unmount();
  expect(document.head.querySelector('meta[name="robots"]')).toBeNull();
});

it('asks without the session of whoever is signed in', async () => {
  signInForTest();
  await open();
  await heading('Pay for your move');
  const own: string[] = [];
  server.events.on('request:start', ({ request }) => {
    if (request.url.includes('/api/pay/')) own.push(request.headers.get('Authorization') ?? '');
  });
  await act(() => queryClient.refetchQueries({ queryKey: ['/pay'] }));
  expect(own).toEqual(['']);
});

it('pays once, thanks, and offers an account without telling anybody the address', async () => {
  const { user } = await open();
  await heading('Pay for your move');
  await fill(user);
  await user.dblClick(button());
  await heading('Thank you, Camille');
  expect(world.sent).toEqual([{ paymentNonce: 'nonce-1', amount: '447.25' }]);
  expect(screen.getByText(/\$447\.25 was charged to your card, once, and nothing else\./)).toBeVisible();
  // whoever has no account is not sent to bookings that only an account has
  const main = within(screen.getByRole('main'));
  expect(main.queryByRole('link', { name: 'My bookings' })).toBeNull();
  expect(main.getByText(/^Sign up with the address this link was sent to/)).toBeVisible();
  await user.click(main.getByRole('button', { name: 'Sign In' }));
  expect(signIn).toHaveBeenCalledExactlyOnceWith('/profile/bookings');
  signIn.mockClear();
  await user.click(main.getByRole('button', { name: 'Create account' }));
  expect(signIn).toHaveBeenCalledExactlyOnceWith('/profile/bookings', 'signup');
  expect(screen.queryByLabelText('Card number')).toBeNull();
});

it('leads somebody who is signed in to the bookings', async () => {
  world.link = world.link && { ...world.link, state: 'paid', amount: '0.00', clientToken: null };
  signInForTest();
  await open();
  await heading('Thank you, Camille');
  expect(screen.getByText('Nothing is left to pay for booking PTG4K7.')).toBeVisible();
  expect(within(screen.getByRole('main')).getByRole('link', { name: 'My bookings' })).toHaveAttribute(
    'href',
    '/profile/bookings',
  );
});

it('says in our words that the bank refused, and takes another card', async () => {
  world.answers.push(() => problem(402, 'payment_declined', 'Do Not Honor'));
  const { user } = await open();
  await heading('Pay for your move');
  await fill(user);
  await user.click(button());
  expect(await screen.findByText('Your bank refused this card. Try another one, or call them.')).toBeVisible();
  expect(document.body).not.toHaveTextContent('Do Not Honor');
  expect(screen.getByLabelText('Name on the card')).toHaveValue('Camille Roy');
  await user.click(button());
  await heading('Thank you, Camille');
});

it('shows a new amount and charges it only after another press', async () => {
  const { user } = await open();
  await heading('Pay for your move');
  await fill(user);
  world.link = world.link && { ...world.link, amount: '500.00', total: '500.00' };
  await user.click(button());
  expect(await screen.findByText('The amount is now $500.00')).toBeVisible();
  expect(button()).toHaveTextContent('Pay $500.00');
  expect(world.link?.state).toBe('open');
  await user.click(button());
  await heading('Thank you, Camille');
  expect(world.sent.at(-1)?.amount).toBe('500.00');
});

it('asks again by itself while the payment is at the bank', async () => {
  world.link = world.link && { ...world.link, state: 'working', clientToken: null };
  await open();
  await heading('Your payment is at the bank');
  world.link = world.link && { ...world.link, state: 'paid', amount: '0.00' };
  expect(await screen.findByText('Thank you, Camille', {}, { timeout: 6000 })).toBeVisible();
});

it('waits with a payment that another tab has sent', async () => {
  const { user } = await open();
  await heading('Pay for your move');
  await fill(user);
  world.answers.push(() => problem(409, 'payment_in_flight', 'Wait'));
  await user.click(button());
  await heading('Your payment is at the bank');
  // the payment failed there: the card that was typed is still here
  await waitFor(() => expect(screen.getByLabelText('Card number')).toBeVisible(), { timeout: 6000 });
  expect(screen.getByLabelText('Name on the card')).toHaveValue('Camille Roy');
});

it('finds out what became of a payment without an answer', async () => {
  const { user } = await open();
  await heading('Pay for your move');
  await fill(user);
  world.answers.push(() => {
    world.link = world.link && { ...world.link, state: 'paid', amount: '0.00', clientToken: null };
    return HttpResponse.error();
  });
  await user.click(button());
  await heading('Thank you, Camille');
  expect(screen.getByText(/\$447\.25 was charged/)).toBeVisible();
});

it('says so when nobody knows, and lets the person press again', async () => {
  const { user } = await open();
  await heading('Pay for your move');
  await fill(user);
  world.answers.push(() => problem(503, 'payment_unavailable', ''));
  await user.click(button());
  expect(await screen.findByText('We do not know yet whether you have paid')).toBeVisible();
  await user.click(button());
  await heading('Thank you, Camille');
});

it('sends nothing while offline', async () => {
  const { user } = await open();
  await heading('Pay for your move');
  await fill(user);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await user.click(button());
  expect(await screen.findByText(/Nothing was sent and nothing was charged\./)).toBeVisible();
  expect(world.sent).toEqual([]);
});

it.each([
  [429, 'too_many_declined_cards', { minutes: 15 }, 'Too many cards were refused. You can try again in 15 minutes.'],
  [402, 'payment_card_failed', {}, 'Your bank refused this card. Try another one, or call them.'],
] as const)('answers %i %s in words', async (status, code, members, words) => {
  const { user } = await open();
  await heading('Pay for your move');
  await fill(user);
  world.answers.push(() => problem(status, code, 'Raw words', members));
  await user.click(button());
  expect(await screen.findByText(words)).toBeVisible();
});

it.each(['nothing_owed', 'link_ended'] as const)('goes on to what the link is now after %s', async (code) => {
  const { user } = await open();
  await heading('Pay for your move');
  await fill(user);
  world.answers.push(() => {
    const state = code === 'nothing_owed' ? 'paid' : 'ended';
    world.link = world.link && { ...world.link, state, amount: '0.00', clientToken: null };
    return problem(409, code, '');
  });
  await user.click(button());
  expect(await heading(code === 'nothing_owed' ? 'Thank you, Camille' : 'This booking is cancelled')).toBeVisible();
});

it('says whom to ask when the link is gone', async () => {
  world.link = null;
  await open();
  await heading('This link to pay does not work any more');
  expect(screen.getByRole('link', { name: 'Write to help@portage.test' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Call 514-555-0100' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Chat with us' })).toBeNull();
});

it('offers to try again when the server fails', async () => {
  server.use(http.get('*/api/pay/:token', () => problem(429, 'too_many_requests', 'Too many calls.')));
  const { user } = await open();
  expect(await screen.findByText('Too many calls.', {}, { timeout: 8000 })).toBeVisible();
  server.use(...linkHandlers(world));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await heading('Pay for your move');
});

it('speaks the language of the booking until another one is chosen', async () => {
  sessionStorage.clear();
  world.link = world.link && { ...world.link, language: 'fr' };
  await open();
  await heading('Payer votre déménagement');
  expect(button()).toHaveTextContent(/Payer 447,25/);
});

it('gives the gateway’s own fields the token of the link', async () => {
  const gateway = braintreeStandIn();
  server.use(http.get('*/api/config', () => HttpResponse.json({ ...mockConfig, payments: { provider: 'braintree' } })));
  const { unmount } = await open();
  await waitFor(() => expect(document.querySelectorAll('main iframe')).toHaveLength(4));
  expect(calls.some((call) => call.path === '/api/payment/client')).toBe(false);
  unmount();
  gateway.stop();
});
