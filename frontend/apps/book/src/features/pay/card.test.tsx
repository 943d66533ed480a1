import { cardLinkHandlers, type CardLinkWorld, freshCardLink, problem } from '@portage/mock-api';
import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, it } from 'vitest';

import { lateRead } from '../../test/late-read.ts';
import { renderApp, server, useApp } from '../../test/render-app.tsx';

useApp();

let world: CardLinkWorld;

const begin = (change: Parameters<typeof freshCardLink>[0] = {}) => {
  world = freshCardLink(change);
  server.use(
    ...cardLinkHandlers(world),
    http.post('*/simulators/braintree/tokenize', () => HttpResponse.json({ nonce: 'nonce-1' })),
  );
};
beforeEach(() => begin());

const open = () => renderApp('/card/a-secret-token');
type User = Awaited<ReturnType<typeof open>>['user'];
async function fill(user: User) {
  await user.type(await screen.findByLabelText('Card number'), '4111 1111 1111 1111');
  await user.type(screen.getByLabelText('Expiry date'), '1230');
  await user.type(screen.getByLabelText('Security code'), '123');
  await user.type(screen.getByLabelText('Name on the card'), 'Camille Roy');
}
const button = () => screen.getByTestId('store-card');
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

it('says what is charged with the new card, charges it once, and thanks', async () => {
  const { user } = await open();
  await heading('Another card for your move');
  expect(screen.getByText(/Your card was declined: \$114\.98 is still to pay/)).toBeVisible();
  expect(button()).toHaveTextContent('Add this card and pay $114.98');
  await fill(user);
  await user.dblClick(button());
  await heading('Thank you, Camille');
  expect(world.sent).toEqual([{ paymentNonce: 'nonce-1', amount: '114.98' }]);
  expect(screen.getByText(/\$114\.98 was charged to your card\./)).toBeVisible();
  expect(screen.queryByLabelText('Card number')).toBeNull();
});

it('stays done when a read that was asked for before comes after the answer', async () => {
  const { user } = await open();
  await fill(user);
  const arrive = await lateRead('*/api/card/:id', { ...world.link });
  await user.click(button());
  await heading('Thank you, Camille');
  await arrive();
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Thank you, Camille');
});

it('keeps its address to itself', async () => {
  await open();
  await heading('Another card for your move');
  expect(document.head.querySelector('meta[name="robots"]')).toHaveAttribute('content', 'noindex, nofollow');
  expect(document.head.querySelector('meta[name="referrer"]')).toHaveAttribute('content', 'no-referrer');
});

it('says when nothing is charged now', async () => {
  begin({ amount: '0.00' });
  await open();
  await heading('Another card for your move');
  expect(button()).toHaveTextContent('Add this card');
  expect(screen.getByText('Nothing is charged now.')).toBeVisible();
});

it('keeps what was typed when the bank says no', async () => {
  world.answers.push(() => problem(402, 'payment_declined', 'The bank said no.'));
  const { user } = await open();
  await fill(user);
  await user.click(button());
  expect(await screen.findByRole('alert')).toBeVisible();
  expect(screen.getByLabelText('Name on the card')).toHaveValue('Camille Roy');
  expect(button()).toBeEnabled();
});

it('never charges another amount than the one that stood there', async () => {
  world.answers.push(() => problem(409, 'price_changed', 'The price has changed.', { total: '200.00' }));
  const { user } = await open();
  await fill(user);
  await user.click(button());
  expect(await screen.findByText('Add this card and pay $200.00')).toBeVisible();
  expect(world.sent).toHaveLength(1);
});

it('says whom to ask when the link works no more', async () => {
  world.link = null;
  await open();
  expect(await heading('This link for a card does not work any more')).toBeVisible();
  expect(screen.queryByLabelText('Card number')).toBeNull();
});
