import { problem } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';

import { desk, open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();
beforeEach(() => {
  signedInAs('admin');
});

/** These are done, the others are not. */
function done(...codes: string[]): void {
  desk.world.setup.steps = desk.world.setup.steps.map(({ code }) => ({ code, done: codes.includes(code) }));
}
const step = (name: string) => within(screen.getByRole('listitem', { name }));

describe('the first steps', () => {
  it('say why, how far each is, and where it is done', async () => {
    done('company', 'calendar');
    open('/first-steps');
    await screen.findByRole('heading', { level: 2, name: 'Your company' });
    expect(step('Your company').getByText('Finished')).toBeVisible();
    expect(step('Your prices').getByText('Still to do')).toBeVisible();
    expect(step('Your mates').getByText(/add at least one active mate/)).toBeVisible();
    const ways = [
      ['Open the settings', '/dashboard/settings'],
      ['Open the rates', '/dashboard/rates'],
      ['Open the calendar', '/dashboard/calendar'],
      ['Open the mates', '/dashboard/mates'],
      ['Book a test move', '/dashboard/bookings/new'],
    ];
    for (const [name = '', href = ''] of ways) expect(screen.getByRole('link', { name })).toHaveAttribute('href', href);
    expect(screen.queryByText('Your company is open for booking')).toBeNull();
  });

  it('take the word of somebody who has looked at the prices', async () => {
    done('company');
    const { user } = open('/first-steps');
    await user.click(await screen.findByRole('button', { name: 'These prices are right' }));
    await waitFor(() => expect(step('Your prices').getByText('Finished')).toBeVisible());
    expect(desk.world.asked.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
      '/first-steps/prices',
    ]);
    expect(screen.queryByRole('button', { name: 'These prices are right' })).toBeNull();
    expect(screen.getByRole('heading', { level: 2, name: 'Your prices' })).toHaveFocus();
  });

  it('leave to administrators what is theirs, and say so', async () => {
    signedInAs('ops');
    done('calendar');
    open('/first-steps');
    await waitFor(() => expect(step('Your company').getByText('An administrator does this.')).toBeVisible());
    expect(step('Your prices').getByText('An administrator does this.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'These prices are right' })).toBeNull();
    expect(screen.queryByRole('link', { name: 'Open the settings' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Open the rates' })).toBeVisible();
    expect(step('Your mates').queryByText('An administrator does this.')).toBeNull();
  });

  it('say why that was not taken', async () => {
    done();
    server.use(http.post('*/api/first-steps/prices', () => problem(403, 'forbidden', 'Ask an administrator.')));
    const { user } = open('/first-steps');
    await user.click(await screen.findByRole('button', { name: 'These prices are right' }));
    expect(await screen.findByText('Ask an administrator.')).toBeVisible();
    expect(step('Your prices').getByText('Still to do')).toBeVisible();
  });

  it('end with a company that is open', async () => {
    open('/first-steps');
    expect(await screen.findByText('Your company is open for booking')).toBeVisible();
    expect(screen.getByRole('link', { name: 'See what customers see' })).toHaveAttribute('href', '/');
  });
});

describe('the start of the day', () => {
  it('shows how far the company is while it is not through', async () => {
    done('company', 'prices');
    const { user, router } = open('/');
    const card = await screen.findByRole('link', { name: 'First steps: 2 of 5' });
    expect(screen.getByText('Next: Your calendar')).toBeVisible();
    await user.click(card);
    await waitFor(() => expect(router.state.location.pathname).toBe('/first-steps'));
  });

  it('is the list alone for a dispatcher, who cannot change the settings it leads to', async () => {
    signedInAs('ops');
    done('company', 'prices');
    open('/');
    expect(await screen.findByRole('heading', { level: 1, name: 'Bookings' })).toBeVisible();
    // the card comes when the list is there, and its texts with it
    await new Promise((later) => {
      setTimeout(later, 300);
    });
    expect(screen.queryByText(/^First steps:/)).toBeNull();
  });

  it.each<[string, () => Response | undefined]>([
    ['all is done', () => undefined],
    ['nobody can say', () => problem(500, 'internal', '')],
    ['the answer makes no sense', () => new Response('<html></html>', { headers: { 'Content-Type': 'text/html' } })],
  ])('is the list alone when %s', async (_, answer) => {
    let asked = 0;
    server.use(
      http.get('*/api/first-steps', () => {
        asked += 1;
        return answer();
      }),
    );
    open('/');
    await waitFor(() => expect(asked).toBe(1));
    // the answer has had its time
    await new Promise((later) => {
      setTimeout(later, 300);
    });
    expect(asked).toBe(1);
    expect(await screen.findByRole('heading', { level: 1, name: 'Bookings' })).toBeVisible();
    expect(screen.queryByText(/^First steps:/)).toBeNull();
    expect(screen.queryByText(/Something went wrong/)).toBeNull();
  });
});
