import { changeLanguage } from '@portage/i18n';
import { problem } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, it } from 'vitest';

import { renderApp, server } from '../../test/render-app.tsx';
import { fillCard, openPayment, readyToPay, usePayment } from '../../test/payment-world.tsx';

const { account, sent } = usePayment();

it('shows what is wrong with the card and sends nothing', async () => {
  const { user } = await openPayment();
  await user.type(await screen.findByLabelText('Card number'), '4111111111111112');
  await user.click(screen.getByTestId('pay'));
  const summary = await screen.findByRole('alert');
  expect(summary).toHaveTextContent('There is a problem');
  expect(summary).toHaveTextContent('Check the card number');
  expect(summary).toHaveTextContent('Security code is required.');
  expect(sent).toHaveLength(0);
});

it('keeps everything when the card is declined', async () => {
  account.cardAnswers.push(() => problem(402, 'payment_declined', 'Insufficient Funds'));
  const { user } = await openPayment();
  await fillCard(user);
  await user.click(screen.getByTestId('pay'));
  const alert = await screen.findByRole('alert');
  expect(within(alert).getByText('Your bank refused this card. Try another one, or call them.')).toBeVisible();
  // the bank's own words are for the staff
  expect(alert).not.toHaveTextContent(/Insufficient Funds|Payment:/);
  expect(screen.getByLabelText('Card number')).toHaveValue('4111 1111 1111 1111');
  expect(sent).toHaveLength(0);
  await user.click(screen.getByTestId('pay'));
  await screen.findByRole('heading', { name: 'Your move is booked' });
});

it.each([
  ['insufficient_funds', 'There is not enough money on this card. Use another card.'],
  ['expired', 'This card has expired. Use another card.'],
  ['wrong_code', 'This is not the security code of the card. Check it, and press the button again.'],
  ['bank_unreachable', 'Your bank could not be reached. Try again in a minute, or use another card.'],
  ['bank', 'Your bank refused this card. Try another one, or call them.'],
  ['not known here', 'Your bank refused this card. Try another one, or call them.'],
])('says at the card what to do when it is declined: %s', async (reason, words) => {
  account.cardAnswers.push(() => problem(402, 'payment_declined', 'Do Not Honor', { reason }));
  const { user } = await openPayment();
  await fillCard(user);
  await user.click(screen.getByTestId('pay'));
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent(words);
  const section = screen.getByRole('region', { name: 'Card' });
  expect(section).toContainElement(alert);
  // before the fields, which come next on the way by keyboard
  expect(alert.compareDocumentPosition(screen.getByLabelText('Card number'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  await waitFor(() => expect(document.activeElement).toContainElement(alert));
  expect(section).toContainElement(document.activeElement as HTMLElement);
});

it('says at the stored card that it was declined, with the choice of another one below', async () => {
  account.profile.wallet = { customerId: 'cust-1', card: { brand: 'visa', last4: '4242', expiry: '01/2031' } };
  account.bookingAnswers.push(() => problem(402, 'payment_declined', 'Your card was declined.', { reason: 'expired' }));
  const { user } = await openPayment();
  await user.click(screen.getByTestId('pay'));
  const section = within(screen.getByRole('region', { name: 'Card' }));
  const alert = await section.findByRole('alert');
  expect(alert).toHaveTextContent('This card has expired. Use another card.');
  expect(alert).toHaveTextContent('Nothing was booked. Everything you entered is kept.');
  await waitFor(() => expect(document.activeElement).toContainElement(alert));
  await user.tab();
  expect(section.getByRole('radio', { name: /Visa ending in 4242/ })).toHaveFocus();
});

it.each([
  ['the gateway’s answer is lost', () => problem(503, 'payment_unavailable', '')],
  ['our own answer is lost', () => HttpResponse.error()],
  ['the card is declined', () => problem(402, 'payment_declined', 'Do Not Honor')],
])('takes a new nonce and a new key for the next try after %s', async (_, said) => {
  let made = 0;
  const used: { nonce: string; key: string | null }[] = [];
  server.use(
    http.post('*/simulators/braintree/tokenize', () => HttpResponse.json({ nonce: `tokencc_${(made += 1)}` })),
    http.post('*/api/payment', async ({ request }) => {
      const { paymentNonce: nonce } = (await request.clone().json()) as { paymentNonce: string };
      const again = used.some((one) => one.nonce === nonce);
      used.push({ nonce, key: request.headers.get('Idempotency-Key') });
      return again ? problem(402, 'payment_declined', 'Cannot use a payment method nonce more than once.') : undefined;
    }),
  );
  account.cardAnswers.push(said);
  const { user } = await openPayment();
  await fillCard(user);
  await user.click(screen.getByTestId('pay'));
  await screen.findByRole('alert');
  await user.click(screen.getByTestId('pay'));
  await screen.findByRole('heading', { name: 'Your move is booked' });
  expect(used.map((one) => one.nonce)).toEqual(['tokencc_1', 'tokencc_2']);
  expect(used[0]?.key).not.toBe(used[1]?.key);
});

it.each([
  ['fr', 402, 'payment_declined', 'Votre banque a refusé cette carte. Essayez-en une autre ou appelez votre banque.'],
  ['zh', 402, 'payment_declined', '您的银行拒绝了此卡。请换一张卡，或致电银行。'],
  ['fr', 422, 'payment_card_failed', 'Une erreur est survenue. Si le problème persiste, veuillez nous contacter.'],
] as const)(
  'says in %s why a card was not taken (%s %s), and quotes no English',
  async (language, status, code, words) => {
    account.cardAnswers.push(() => problem(status, code, 'Do Not Honor'));
    await changeLanguage(language);
    const { user } = await renderApp('/payment', { draft: readyToPay });
    await waitFor(() => expect(screen.getByTestId('pay')).toBeEnabled());
    for (const [id, text] of Object.entries({
      number: '4111111111111111',
      expiry: '530',
      cvc: '123',
      name: 'Ana Roy',
    }))
      await user.type(document.querySelector(`[name="${id}"]`)!, text);
    await user.click(screen.getByTestId('pay'));
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent(words);
    expect(alert).not.toHaveTextContent('Do Not Honor');
  },
);

it('says once that the card was declined when the booking itself is answered so', async () => {
  account.profile.wallet = { customerId: 'cust-1', card: { brand: 'visa', last4: '4242', expiry: '01/2031' } };
  const sentence = 'Your bank refused this card. Try another one, or call them.';
  account.bookingAnswers.push(() => problem(402, 'payment_declined', sentence));
  const { user } = await openPayment();
  await user.click(screen.getByTestId('pay'));
  expect(within(await screen.findByRole('alert')).getAllByText(sentence)).toHaveLength(1);
});

it('names the piece for which a booking is refused', async () => {
  account.profile.wallet = { customerId: 'cust-1', card: { brand: 'visa', last4: '4242', expiry: '01/2031' } };
  const items = [{ id: 'hot-tub', name: 'Hot tub' }];
  account.bookingAnswers.push(() => problem(422, 'contact_support', 'Ask us.', { items }));
  const { user } = await openPayment();
  await user.click(screen.getByTestId('pay'));
  expect(await screen.findByText(/^Hot tub: this takes equipment/)).toBeVisible();
});
