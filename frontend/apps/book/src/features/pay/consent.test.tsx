import { consentHandlers, type ConsentWorld, freshConsent, problem } from '@portage/mock-api';
import { screen } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, expect, it } from 'vitest';

import { lateRead } from '../../test/late-read.ts';
import { renderApp, server, useApp } from '../../test/render-app.tsx';

useApp();

let world: ConsentWorld;

const begin = (change: Parameters<typeof freshConsent>[0] = {}) => {
  world = freshConsent(change);
  server.use(...consentHandlers(world));
};
beforeEach(() => begin());

const open = () => renderApp('/consent/a-secret-token');
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

it('shows the exact words, and takes one yes however often it is pressed', async () => {
  const { user } = await open();
  await heading('Please read and answer');
  expect(screen.getByTestId('consent-text')).toHaveTextContent('$574.88 on February 16, 2027');
  expect(screen.getByText(/You can answer until/)).toBeVisible();
  await user.dblClick(screen.getByTestId('agree'));
  await heading('Thank you, Camille');
  expect(world.sent).toEqual([{ agree: true }]);
  expect(screen.getByTestId('consent-text')).toBeVisible();
  expect(screen.queryByTestId('agree')).toBeNull();
});

it('is not undone by a read that was asked for before the answer and comes after it', async () => {
  const { user } = await open();
  await heading('Please read and answer');
  const arrive = await lateRead('*/api/consent/:id', { ...world.link });
  await user.click(screen.getByTestId('agree'));
  await heading('Thank you, Camille');
  await arrive();
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Thank you, Camille');
});

it('says before what a no means, and what became of it', async () => {
  const { user } = await open();
  expect(await screen.findByText(/nothing is charged and the move is cancelled again/)).toBeVisible();
  await user.click(screen.getByTestId('refuse'));
  await heading('You did not agree');
  expect(world.sent).toEqual([{ agree: false }]);
});

it('says so when nothing is cancelled without a yes', async () => {
  begin({ releases: false });
  await open();
  expect(await screen.findByText(/nothing is charged, and we get in touch with you/)).toBeVisible();
});

it('keeps its address to itself', async () => {
  await open();
  await heading('Please read and answer');
  expect(document.head.querySelector('meta[name="robots"]')).toHaveAttribute('content', 'noindex, nofollow');
  expect(document.head.querySelector('meta[name="referrer"]')).toHaveAttribute('content', 'no-referrer');
});

it('shows what the link knows when the answer to a press was lost', async () => {
  world.answers.push(() => {
    if (world.link) world.link = { ...world.link, state: 'agreed', answeredAt: '2027-02-10T15:00:00Z' };
    return HttpResponse.error();
  });
  const { user } = await open();
  await user.click(await screen.findByTestId('agree'));
  await heading('Thank you, Camille');
  expect(world.sent).toHaveLength(1);
});

it('tells why an answer was not taken, in the words of the server', async () => {
  world.answers.push(() => problem(409, 'payment_in_flight', 'A payment of this booking is at the bank.'));
  const { user } = await open();
  await user.click(await screen.findByTestId('agree'));
  expect(await screen.findByText('A payment of this booking is at the bank.')).toBeVisible();
  expect(screen.getByTestId('agree')).toBeEnabled();
});

it('asks for nothing when the booking has changed since', async () => {
  world.answers.push(() => {
    if (world.link) {
      const { text: _, ...link } = world.link;
      world.link = { ...link, state: 'replaced' };
    }
    return HttpResponse.json(world.link);
  });
  const { user } = await open();
  await user.click(await screen.findByTestId('agree'));
  await heading('This question does not hold any more');
  expect(screen.queryByTestId('consent-text')).toBeNull();
});

it('says whom to ask when the link works no more', async () => {
  world.link = null;
  await open();
  expect(await heading('This link does not work any more')).toBeVisible();
  expect(screen.queryByTestId('agree')).toBeNull();
});
