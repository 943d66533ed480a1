import { freshUnsubscribe, problem, unsubscribeHandlers, type UnsubscribeWorld } from '@portage/mock-api';
import { screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';

import { renderApp, server, useApp } from '../../test/render-app.tsx';

useApp();

let world: UnsubscribeWorld;

const begin = (change: Parameters<typeof freshUnsubscribe>[0] = {}) => {
  world = freshUnsubscribe(change);
  server.use(...unsubscribeHandlers(world));
};
beforeEach(() => begin());

const open = () => renderApp('/unsubscribe/a-secret-token');
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

it('changes nothing when it is opened, and stops such mail by one press', async () => {
  const { user } = await open();
  await heading('Unsubscribe from e-mails');
  expect(screen.getByText(/to a\*\*\*@example\.test/)).toBeVisible();
  expect(world.said).toEqual([]);
  await user.click(screen.getByTestId('say'));
  await heading('You are unsubscribed');
  expect(world.said).toEqual([true]);
  expect(screen.getByTestId('stopped')).toHaveFocus();
});

it('takes it back on the same page', async () => {
  begin({ stopped: true });
  const { user } = await open();
  await heading('You are unsubscribed');
  await user.click(screen.getByRole('button', { name: 'Send me such e-mails again' }));
  await heading('Unsubscribe from e-mails');
  expect(world.said).toEqual([false]);
});

it('says so when nothing was changed', async () => {
  world.answers.push(() => problem(503, 'busy', 'Too busy. Please try again.'));
  const { user } = await open();
  await user.click(await screen.findByTestId('say'));
  expect(await screen.findByText('Your wish was not kept')).toBeVisible();
  expect(screen.getByTestId('not-stopped')).toBeInTheDocument();
});

it('keeps its address to itself, and knows no other link', async () => {
  await open();
  await heading('Unsubscribe from e-mails');
  expect(document.head.querySelector('meta[name="referrer"]')).toHaveAttribute('content', 'no-referrer');
  world.link = null;
  await renderApp('/unsubscribe/another');
  await heading('This link stops no e-mails any more');
});
