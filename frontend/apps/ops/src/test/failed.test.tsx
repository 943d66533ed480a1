import { problem, someDispute, someFailure } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';

import { desk, open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();
beforeEach(() => signedInAs('ops'));

const asked = (end: string) => desk.world.asked.filter(({ path }) => path.endsWith(end));
const rows = () => screen.findByRole('grid', { name: 'Failed charges' });

describe('failed charges', () => {
  it('says why, how often, and that nothing is tried by itself', async () => {
    desk.world.failed.charges = [someFailure(), someFailure({ id: 'charge-2', shortId: 'PTG9XX', reason: 'no_card' })];
    open('/failed-charges');
    const table = within(await rows());
    expect(await table.findByRole('link', { name: /PTG4K7/ })).toHaveAttribute('href', '/dashboard/bookings/booking-1');
    expect(table.getByText(/not enough money on the card/)).toBeVisible();
    expect(table.getByText(/there is no card/)).toBeVisible();
    expect(table.getAllByText('Not tried again by itself')).toHaveLength(2);
    expect(table.getAllByText('$459.90')).toHaveLength(2);
  });

  it('promises no attempt with a card that was refused for good', async () => {
    const nextAttemptAt = '2027-02-17T15:00:00Z';
    desk.world.failed.charges = [
      someFailure({ state: 'hard_declined', nextAttemptAt }),
      someFailure({ id: 'charge-2', shortId: 'PTG9XX', state: 'soft_declined', nextAttemptAt }),
    ];
    open('/failed-charges');
    const table = within(await rows());
    expect(await table.findByText('With another card')).toBeVisible();
    expect(table.getAllByText(/Feb 17, 2027/)).toHaveLength(1);
  });

  it('tries once more, and says what came of it', async () => {
    desk.world.failed.charges = [someFailure()];
    desk.world.failed.declines = ['refused_for_good'];
    const { user } = open('/failed-charges');
    const press = async () => user.click(await screen.findByRole('button', { name: 'Try again now: PTG4K7' }));
    await press();
    expect(await screen.findByText(/PTG4K7: declined again, the bank said no for good/)).toBeVisible();
    await press();
    expect(await screen.findByText(/PTG4K7: \$459\.90 was charged/)).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('link', { name: /PTG4K7/ })).toBeNull());
    const keys = asked('/retry').map(({ key }) => key);
    expect(keys).toHaveLength(2);
    expect(keys[0]).not.toBe(keys[1]);
  });

  it('says of a refund that it goes back, not that it was charged', async () => {
    desk.world.failed.charges = [someFailure({ kind: 'refund', reason: 'refund_refused', canPayBack: true })];
    const { user } = open('/failed-charges');
    await user.click(await screen.findByRole('button', { name: 'Try again now: PTG4K7' }));
    expect(await screen.findByText(/PTG4K7: \$459\.90 goes back to the card/)).toBeVisible();
  });

  it.each([
    ['is not answered yet', () => HttpResponse.json({ data: [{ id: 'charge-1', state: 'processing' }] })],
    ['cannot be read', () => HttpResponse.error()],
  ])('does not call an attempt charged that %s', async (_, answer) => {
    desk.world.failed.charges = [someFailure()];
    server.use(http.get('*/api/bookings/:id/payments', answer));
    const { user } = open('/failed-charges');
    await user.click(await screen.findByRole('button', { name: 'Try again now: PTG4K7' }));
    expect(await screen.findByText(/PTG4K7: nothing is known of it yet/)).toBeVisible();
    expect(screen.queryByText(/was charged/)).toBeNull();
  });

  it('keeps the focus in the list when the charge that was tried leaves it', async () => {
    desk.world.failed.charges = [someFailure(), someFailure({ id: 'charge-2', shortId: 'PTG9XX' })];
    const { user } = open('/failed-charges');
    (await screen.findByRole('button', { name: 'Try again now: PTG4K7' })).focus();
    await user.keyboard('{Enter}');
    expect(await screen.findByText(/PTG4K7: \$459\.90 was charged/)).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('link', { name: /PTG4K7/ })).toBeNull());
    await waitFor(() => expect(screen.getByRole('link', { name: /PTG9XX/ })).toHaveFocus());
  });

  it('stays on the row when only its button goes', async () => {
    desk.world.failed.charges = [someFailure()];
    const { user } = open('/failed-charges');
    const press = await screen.findByRole('button', { name: 'Try again now: PTG4K7' });
    press.focus();
    server.use(
      http.post('*/api/payments/:id/retry', () => {
        desk.world.failed.charges = [someFailure({ canRetry: false, state: 'hard_declined' })];
        return HttpResponse.json({});
      }),
    );
    await user.keyboard('{Enter}');
    await waitFor(() => expect(press).not.toBeInTheDocument());
    await waitFor(() => expect(screen.getByRole('button', { name: 'Send a card link: PTG4K7' })).toHaveFocus());
  });

  it('asks with the same key while no answer came', async () => {
    desk.world.failed.charges = [someFailure()];
    const { user } = open('/failed-charges');
    const keys: (string | null)[] = [];
    server.use(
      http.post(
        '*/api/payments/:id/retry',
        ({ request }) => {
          keys.push(request.headers.get('Idempotency-Key'));
          return HttpResponse.error();
        },
        { once: true },
      ),
    );
    const press = async () => user.click(await screen.findByRole('button', { name: 'Try again now: PTG4K7' }));
    await press();
    expect(await screen.findByText('That was not done')).toBeVisible();
    await press();
    await waitFor(() => expect(asked('/retry')).toHaveLength(1));
    expect(asked('/retry')[0]?.key).toBe(keys[0]);
  });

  it('mails a link for another card', async () => {
    desk.world.failed.charges = [someFailure({ canRetry: false })];
    const { user } = open('/failed-charges');
    await user.click(await screen.findByRole('button', { name: 'Send a card link: PTG4K7' }));
    expect(
      await screen.findByText(/A link for another card, which works until .*, went to ana@example\.test/),
    ).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Try again now: PTG4K7' })).toBeNull();
  });

  it('writes off for a reason, by keyboard alone', async () => {
    desk.world.failed.charges = [someFailure()];
    const { user } = open('/failed-charges');
    (await screen.findByRole('button', { name: 'Write off: PTG4K7' })).focus();
    await user.keyboard('{Enter}');
    const dialog = within(await screen.findByRole('dialog', { name: /Write off \$459\.90 of PTG4K7/ }));
    expect(dialog.getByRole('button', { name: 'Write off' })).toBeDisabled();
    // what is wanted has the focus at once
    await waitFor(() => expect(dialog.getByLabelText('Why: colleagues can read it')).toHaveFocus());
    await user.keyboard('Cannot be found');
    await user.click(dialog.getByRole('button', { name: 'Write off' }));
    expect(await screen.findByText('PTG4K7: it is not asked for any more')).toBeVisible();
    expect(asked('/write-off')[0]?.body).toEqual({ reason: 'Cannot be found' });
    // the row is gone with what opened the dialog, and the focus is not lost with it
    await waitFor(() => expect(screen.queryByRole('link', { name: /PTG4K7/ })).toBeNull());
    await waitFor(() => expect(document.body).not.toHaveFocus());
  });

  it('says how a refund that was refused was paid back by hand', async () => {
    desk.world.failed.charges = [
      someFailure({ kind: 'refund', reason: 'refund_refused', canRetry: true, canWriteOff: false, canPayBack: true }),
    ];
    const { user } = open('/failed-charges');
    await user.click(await screen.findByRole('button', { name: 'Paid back by hand: PTG4K7' }));
    const dialog = within(await screen.findByRole('dialog', { name: /Pay back \$459\.90 of PTG4K7 by hand/ }));
    const run = dialog.getByRole('button', { name: 'The customer has the money' });
    expect(run).toBeDisabled();
    await user.click(dialog.getByRole('radio', { name: 'Cash' }));
    expect(run).toBeEnabled();
    await user.click(dialog.getByRole('radio', { name: 'E-transfer' }));
    await user.type(dialog.getByLabelText('Number of the transfer'), ' CA9 ');
    await user.dblClick(run);
    expect(await screen.findByText('PTG4K7: $459.90 was written down as paid back')).toBeVisible();
    expect(asked('/paid-back')).toHaveLength(1);
    expect(asked('/paid-back')[0]?.body).toEqual({ method: 'etransfer', reference: 'CA9' });
    expect(await screen.findByText('No charge has failed')).toBeVisible();
  });

  it('says how often a refund was tried, and what the gateway said', async () => {
    const message = 'Credits are not accepted for this card';
    desk.world.failed.charges = [
      someFailure({ kind: 'refund', reason: 'refund_refused', message, attempts: 2, canPayBack: true }),
    ];
    open('/failed-charges');
    const table = within(await rows());
    expect(await table.findByText(/the gateway did not give it back: “Credits are not accepted/)).toBeVisible();
    expect(table.getByText('2', { exact: true })).toBeVisible();
  });

  it('names money that waits to be handed back, and says that it was', async () => {
    desk.world.failed.charges = [
      someFailure({
        kind: 'refund',
        method: 'cash',
        state: 'scheduled',
        reason: 'to_hand_back',
        canRetry: false,
        canWriteOff: false,
        canSendLink: false,
        canHandOver: true,
      }),
    ];
    const { user } = open('/failed-charges');
    expect(await screen.findByText(/to be handed to the customer/)).toBeVisible();
    expect(screen.queryByText('Not tried again by itself')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Handed over: PTG4K7' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Hand back $459.90' }));
    expect(dialog.getByText(/Ana Roy · PTG4K7, Cash/)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'It was handed over' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(asked('/handed-over')).toHaveLength(1);
    expect(await screen.findByText('No charge has failed')).toBeVisible();
  });

  it('names the pages of its two lists apart', async () => {
    desk.world.failed.charges = [someFailure()];
    desk.world.failed.disputes = [someDispute()];
    open('/failed-charges');
    expect(await screen.findByRole('navigation', { name: 'Pages of the list: Failed charges' })).toBeVisible();
    expect(await screen.findByRole('navigation', { name: 'Pages of the list: Disputes' })).toBeVisible();
  });

  it('says so when there is nothing, and when it cannot be fetched', async () => {
    open('/failed-charges');
    expect(await screen.findByText('No charge has failed')).toBeVisible();
    expect(await screen.findByText('Nobody disputes a charge')).toBeVisible();
  });

  it('offers to ask again when it cannot be fetched', async () => {
    server.use(http.get('*/api/payments/failed', () => problem(422, 'validation_failed', 'Not like this')));
    open('/failed-charges');
    expect(await screen.findByText('The failed charges could not be fetched')).toBeVisible();
  });
});

describe('disputes', () => {
  it('says until when the bank waits, and keeps which papers were sent', async () => {
    desk.world.failed.disputes = [someDispute()];
    const { user } = open('/failed-charges');
    const table = within(await screen.findByRole('grid', { name: 'Disputes' }));
    expect(await table.findByText('0 of 4 sent')).toBeVisible();
    expect(table.getByText('says somebody else used the card')).toBeVisible();
    await user.click(table.getByRole('button', { name: 'Papers for PTG4K7' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Dispute of PTG4K7' }));
    await user.click(dialog.getByRole('checkbox', { name: 'Guidelines that were accepted' }));
    await user.type(dialog.getByLabelText('Note: Guidelines that were accepted'), 'By mail');
    const fee = dialog.getByLabelText('What the gateway kept for it');
    await user.clear(fee);
    await user.type(fee, '15,00');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await table.findByText('1 of 4 sent')).toBeVisible();
    const [call] = asked('/disputes/dispute-1');
    expect(call?.version).toBe('"1"');
    expect(call?.body).toMatchObject({ fee: '15.00' });
  });

  it('writes off what the bank took back, and only that', async () => {
    desk.world.failed.disputes = [
      someDispute({ state: 'lost', canWriteOff: true }),
      someDispute({ id: 'dispute-2', shortId: 'PTG9XX' }),
    ];
    const { user } = open('/failed-charges');
    const press = await screen.findByRole('button', { name: 'Write off: PTG4K7' });
    expect(screen.queryByRole('button', { name: 'Write off: PTG9XX' })).toBeNull();
    server.use(http.post('*/api/payments/charge-9/write-off', () => HttpResponse.json({})));
    await user.click(press);
    const dialog = within(await screen.findByRole('dialog', { name: /Write off \$574\.88 of PTG4K7/ }));
    await user.type(dialog.getByLabelText('Why: colleagues can read it'), 'Cannot be found');
    await user.click(dialog.getByRole('button', { name: 'Write off' }));
    expect(await screen.findByText('PTG4K7: it is not asked for any more')).toBeVisible();
  });

  it('keeps what was written when a colleague was faster', async () => {
    desk.world.failed.disputes = [someDispute()];
    const { user } = open('/failed-charges');
    await user.click(await screen.findByRole('button', { name: 'Papers for PTG4K7' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Dispute of PTG4K7' }));
    desk.world.failed.disputes[0] = someDispute({ version: 2 });
    await user.type(dialog.getByLabelText('Note: Photos of the move'), 'Four of them');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await dialog.findByText('That was not done')).toBeVisible();
    expect(dialog.getByLabelText('Note: Photos of the move')).toHaveValue('Four of them');
  });
});
