import { mockApi } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { renderApp, server, useApp, withAddresses, withDate, withItems } from './render-app.tsx';

useApp();

/** What is asked of the server first takes a while on a busy machine. */
const slow = { timeout: 5000 };

describe('where the focus is on the first step', () => {
  const pickup = async () => within(await screen.findByRole('region', { name: 'Pickup' }));

  it('stays with the address after one is chosen', async () => {
    const { user } = await renderApp('/locations');
    await user.type(await screen.findByRole('combobox', { name: 'Pickup address' }), 'avenue parc');
    await screen.findByRole('option', { name: /3575 Avenue du Parc/ });
    await user.keyboard('{Enter}');
    const change = await screen.findByRole('button', { name: 'Change: Pickup address' });
    await waitFor(() => expect(change).toHaveFocus());
    expect(change).toHaveAccessibleDescription(/3575 Avenue du Parc/);
  });

  it('goes to the fields by hand and back to the search', async () => {
    const { user } = await renderApp('/locations');
    await user.click((await pickup()).getByRole('button', { name: 'Enter address by hand' }));
    await waitFor(async () => expect((await pickup()).getByLabelText('Street number and name')).toHaveFocus());
    await user.click((await pickup()).getByRole('button', { name: 'Back to search' }));
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Pickup address' })).toHaveFocus());
  });

  it('stays with the address that is kept', async () => {
    const { user } = await renderApp('/locations', { draft: withAddresses });
    await user.click(await screen.findByRole('button', { name: 'Change: Pickup address' }));
    await user.click(await screen.findByRole('button', { name: 'Keep this address' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Change: Pickup address' })).toHaveFocus());
  });
});

describe('where the focus is on the schedule', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-02-10T15:00:00Z') });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const open = async () => {
    const app = await renderApp('/schedule', { draft: withItems });
    await app.user.click(
      await screen.findByRole('button', { name: /Wednesday, February 17, 2027, 1\d start times/ }, slow),
    );
    return app;
  };

  it('stays with the start while it is being kept, and after', async () => {
    let answer = () => {};
    const held = new Promise<void>((done) => (answer = done));
    server.use(
      http.post('*/api/holds', async () => {
        await held;
        return HttpResponse.json(
          { id: 'hold-1', expiresAt: '2027-02-10T15:15:00Z', startsAt: '2027-02-17T14:00:00Z' },
          { status: 201 },
        );
      }),
    );
    const { user } = await open();
    const start = await screen.findByRole('radio', { name: '9:00\u00A0a.m.' }, slow);
    await user.click(start);
    expect(start).toHaveFocus();
    expect(start).toBeEnabled();
    expect(start).toBeChecked();
    answer();
    expect(await screen.findByText(/^This start is kept for you/, {}, slow)).toBeVisible();
    expect(screen.getByRole('radio', { name: '9:00\u00A0a.m.' })).toHaveFocus();
  });

  it('goes to what is offered instead of a start that is gone, and to the one taken there', async () => {
    const { user } = await open();
    await user.click(await screen.findByRole('radio', { name: '8:30\u00A0a.m.' }, slow));
    const told = await screen.findByText(
      'The time you are booking is not available anymore. Please schedule another time.',
      {},
      slow,
    );
    await waitFor(() => expect(document.activeElement).toContainElement(told));
    expect(document.activeElement).not.toBe(document.body);
    await user.click(await screen.findByRole('button', { name: /Feb.* 17, 8:00\u00A0a\.m\./ }, slow));
    await waitFor(() => expect(screen.getByRole('radio', { name: '8:00\u00A0a.m.' })).toHaveFocus());
  });
});

describe('where the focus is in the list of furniture', () => {
  const two = [
    { id: 'couch-3-seats', quantity: 1 },
    { id: 'piano-upright', quantity: 1 },
  ];
  const button = (name: string) => screen.getByRole('button', { name });

  it('stays with a piece of which there is none left', async () => {
    const { user } = await renderApp('/move-type', { draft: { ...withItems, selectedFurnitures: two } });
    await user.type(await screen.findByRole('searchbox', { name: 'Search furniture' }, slow), 'piano');
    button('One less: Upright piano').focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(button('One less: Upright piano')).toBeDisabled());
    expect(button('One more: Upright piano')).toHaveFocus();
  });

  it('goes to the next piece where only what is chosen is shown', async () => {
    const { user } = await renderApp('/move-type', { draft: { ...withItems, selectedFurnitures: two } });
    await user.click(await screen.findByRole('button', { name: 'Show only what I chose' }, slow));
    const [first, second] = screen.getAllByRole('button', { name: /^One less: (?:Upright piano|.*couch)/i });
    const name = (less: HTMLElement | undefined) => less?.getAttribute('aria-label')?.replace('One less: ', '') ?? '';
    const other = name(second);
    first?.focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(button(`One more: ${other}`)).toHaveFocus());
    expect(first).not.toBeInTheDocument();
    button(`One less: ${other}`).focus();
    await user.keyboard('{Enter}');
    // nothing is chosen any more: the list shows a group again, and the piece is in it
    await waitFor(() => expect(button(`One less: ${other}`)).toBeDisabled());
    expect(button(`One more: ${other}`)).toHaveFocus();
  });

  it('stays with a piece of one’s own, from none to one and back', async () => {
    const { user } = await renderApp('/move-type', { draft: withItems });
    await user.click(await screen.findByText('Something that is not in the list', {}, slow));
    const own = within(document.querySelector<HTMLElement>('[data-id="own-small"]') ?? document.body);
    own.getByRole('button', { name: /^One more/ }).focus();
    await user.keyboard('{Enter}');
    await screen.findByRole('textbox', { name: 'What is it?' });
    const more = document.querySelector('[data-id="own-small"] [role="group"] > button:last-of-type');
    expect(more).toHaveFocus();
    await user.keyboard('{Shift>}{Tab}{Tab}{/Shift}{Enter}');
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'What is it?' })).toBeNull());
    expect(more).toHaveFocus();
    expect(more?.closest('details')).toHaveAttribute('open');
  });
});

it('stays with the button by which a code is applied', async () => {
  let answer = () => {};
  const held = new Promise<void>((done) => (answer = done));
  server.use(
    http.post('*/api/discount', async ({ request }) => {
      await held;
      return mockApi(request);
    }),
  );
  const { user } = await renderApp('/quote', { draft: withDate });
  await user.type(await screen.findByRole('textbox', { name: 'Discount code' }, slow), 'WELCOME10');
  await user.tab();
  const apply = screen.getByRole('button', { name: 'Apply' });
  expect(apply).toHaveFocus();
  await user.keyboard(' ');
  await waitFor(() => expect(apply).toBeDisabled(), slow);
  // a browser drops the focus of a button that is switched off; this one lets only what is switched on lose it
  apply.removeAttribute('disabled');
  apply.blur();
  apply.setAttribute('disabled', '');
  expect(document.body).toHaveFocus();
  answer();
  await screen.findByRole('button', { name: 'Remove WELCOME10' }, slow);
  await waitFor(() => expect(apply).toHaveFocus(), slow);
});

it('goes to what a guest may read', async () => {
  const { user } = await renderApp('/guidelines', { draft: withDate });
  await user.click(await screen.findByRole('button', { name: 'Continue as a guest' }));
  await waitFor(() => expect(screen.getByRole('heading', { name: 'In short' })).toHaveFocus());
});
