import type { DeskBooking } from '@portage/api';
import { problem } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { desk, open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();
beforeEach(() => signedInAs('ops'));
afterEach(() => server.events.removeAllListeners());

type User = ReturnType<typeof open>['user'];
const first = () => desk.world.bookings[0] as DeskBooking;
const given = () => desk.world.asked.filter((call) => call.path.endsWith('/refunds'));

async function begin() {
  const opened = open(`/bookings/${first().id}`);
  await opened.user.click(await screen.findByRole('button', { name: 'Give money back…' }));
  const dialog = await screen.findByRole('dialog');
  return { ...opened, dialog: within(dialog) };
}

async function fill(user: User, dialog: ReturnType<typeof within>, amount: string) {
  await user.type(dialog.getByLabelText('Amount, tax included'), amount);
  await user.type(dialog.getByLabelText('Why: the customer can read it'), 'An hour late');
}

describe('giving money back', () => {
  it('sends the amount in any way of writing it, and shows what was given and why', async () => {
    const { user, dialog } = await begin();
    expect(dialog.getByText(/\$89\.45 at most/)).toBeVisible();
    await fill(user, dialog, '50,00');
    await user.click(dialog.getByRole('button', { name: 'Refund now' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(given()[0]?.body).toEqual({ kind: 'refund', amount: '50.00', reason: 'An hour late' });
    const list = await screen.findByRole('list', { name: 'Given back or waived' });
    expect(within(list).getByText('An hour late')).toBeVisible();
    expect(within(list).getByText('Refund by staff')).toBeVisible();
  });

  it('says what is too much before it is sent', async () => {
    const { user, dialog } = await begin();
    await fill(user, dialog, '89.46');
    expect(dialog.getByText('$89.45 is the most that can be given.')).toBeVisible();
    expect(dialog.getByRole('button', { name: 'Refund now' })).toBeDisabled();
    // of what is owed there is more
    await user.click(dialog.getByRole('radio', { name: /Goodwill/ }));
    await user.click(dialog.getByRole('button', { name: 'Lower what is owed' }));
    await waitFor(() => expect(given()).toHaveLength(1));
    expect(given()[0]?.body).toMatchObject({ kind: 'goodwill', amount: '89.46' });
  });

  it('names the sum that may be given when more was given meanwhile', async () => {
    server.use(
      http.post('*/api/bookings/:id/refunds', () =>
        problem(422, 'validation_failed', 'Some fields need attention.', {
          errors: [{ field: 'amount', code: 'out_of_range', message: 'Amount can be $39.45 at most.', most: '39.45' }],
        }),
      ),
    );
    const { user, dialog } = await begin();
    await fill(user, dialog, '50,00');
    await user.click(dialog.getByRole('button', { name: 'Refund now' }));
    expect(await dialog.findByText('Amount can be $39.45 at most.')).toBeVisible();
  });

  it('keeps what was written when it is refused, and asks with the same key while no answer came', async () => {
    const { user, dialog } = await begin();
    await fill(user, dialog, '10');
    server.use(http.post('*/api/bookings/:id/refunds', () => HttpResponse.error(), { once: true }));
    const press = () => user.click(dialog.getByRole('button', { name: 'Refund now' }));
    const keys: (string | null)[] = [];
    server.events.on('request:start', ({ request }) => {
      if (request.url.endsWith('/refunds')) keys.push(request.headers.get('Idempotency-Key'));
    });
    await press();
    expect(await dialog.findByText('Nothing was given back')).toBeVisible();
    server.use(
      http.post('*/api/bookings/:id/refunds', () => problem(409, 'payment_in_flight', 'The bank has it'), {
        once: true,
      }),
    );
    await press();
    await waitFor(() => expect(keys).toHaveLength(2));
    expect(await dialog.findByText('The bank has it')).toBeVisible();
    expect(dialog.getByLabelText('Amount, tax included')).toHaveValue('10');
    await press();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).not.toBe(keys[1]);
  });
});

describe('money by hand', () => {
  const sent = (call: string) =>
    desk.world.asked.filter(({ method, path }) => method === 'POST' && path.endsWith(call));

  it('is written down with its number, and lowers what is still to come', async () => {
    const { user } = open(`/bookings/${first().id}`);
    await user.click(await screen.findByRole('button', { name: 'Money received…' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('radio', { name: 'E-transfer' }));
    await user.type(dialog.getByLabelText('Amount, at most $357.80'), '100');
    const run = dialog.getByRole('button', { name: 'Write the payment down' });
    // a transfer without its number could be written down twice
    expect(run).toBeDisabled();
    await user.type(dialog.getByLabelText('Number of the transfer'), 'CA7F2K');
    await user.click(run);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent('/payments')[0]).toMatchObject({
      body: { method: 'etransfer', amount: '100.00', reference: 'CA7F2K' },
      key: expect.stringMatching(/.{16,}/) as string,
    });
    expect(await screen.findByText(/CA7F2K/)).toBeVisible();
    expect(screen.getByText('$257.80')).toBeVisible();
  });

  it('is taken out when it was a mistake, with a reason', async () => {
    const { user } = open(`/bookings/${first().id}`);
    await user.click(await screen.findByRole('button', { name: 'Money received…' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.queryByText(/is owed: enter/)).toBeNull();
    await user.type(dialog.getByLabelText('Amount, at most $357.80'), '357.81');
    expect(dialog.getByText('$357.80 is owed: enter that at most.')).toBeVisible();
    await user.clear(dialog.getByLabelText('Amount, at most $357.80'));
    await user.type(dialog.getByLabelText('Amount, at most $357.80'), '40');
    await user.click(dialog.getByRole('button', { name: 'Write the payment down' }));
    await user.click(await screen.findByRole('button', { name: 'Written down by mistake…' }));
    const undo = within(await screen.findByRole('dialog'));
    await user.type(undo.getByLabelText('What was wrong: colleagues can read it'), 'The other booking');
    await user.click(undo.getByRole('button', { name: 'Take it out' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent('/undo')[0]?.body).toEqual({ reason: 'The other booking' });
    // the payment, and the line that takes it out
    await waitFor(() => expect(screen.getAllByText('taken out, it never came')).toHaveLength(2));
    expect(screen.queryByText('paid back')).toBeNull();
  });

  it('waits to be handed back', async () => {
    desk.world.money.received.set(first().id, [
      {
        id: 'back-1',
        kind: 'refund',
        state: 'scheduled',
        amount: '25.00',
        method: 'cash',
        dueAt: '2027-02-03T15:00:00Z',
        attempts: [],
      },
    ]);
    const { user } = open(`/bookings/${first().id}`);
    expect(await screen.findByText('to be handed back by you')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Handed over…' }));
    const dialog = within(await screen.findByRole('dialog', { name: /Hand back \$25\.00/ }));
    await user.click(dialog.getByRole('button', { name: 'It was handed over' }));
    await waitFor(() => expect(screen.queryByText('to be handed back by you')).toBeNull());
    expect(sent('/handed-over')[0]?.body).toEqual({ reference: null });
  });
});

describe('overtime', () => {
  it('shows what it costs, and is added only with a cause and a yes', async () => {
    desk.world.bookings[0] = { ...first(), status: 'completed' };
    server.use(
      http.get('*/api/bookings/:id/overtime', ({ request }) =>
        new URL(request.url).searchParams.get('minutes') === '45'
          ? HttpResponse.json({ amount: '111.00', tax: '16.62', total: '127.62', newTotal: '574.87' })
          : problem(422, 'overtime_cap', 'The law lets it grow by $100.00 at most.'),
      ),
      http.post('*/api/bookings/:id/overtime', async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json(first(), { status: 201 });
      }),
    );
    const sent: unknown[] = [];
    const { user } = open(`/bookings/${first().id}`);
    await user.click(await screen.findByRole('button', { name: 'It took longer…' }));
    const dialog = within(await screen.findByRole('dialog'));
    const minutes = dialog.getByLabelText('Minutes beyond what was agreed');
    await user.type(minutes, '90');
    expect(await dialog.findByText('The law lets it grow by $100.00 at most.')).toBeVisible();
    await user.clear(minutes);
    await user.type(minutes, '45');
    expect(await dialog.findByText('$127.62')).toBeVisible();
    const run = dialog.getByRole('button', { name: 'Add and charge it' });
    await user.selectOptions(dialog.getByLabelText('Why it took longer'), 'elevator');
    await user.type(dialog.getByLabelText('Who agreed, and how'), 'Ana, on site');
    expect(run).toBeDisabled();
    await user.click(dialog.getByLabelText('The customer agreed to it'));
    await user.click(run);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent).toEqual([{ minutes: 45, cause: 'elevator', consent: true, consentNote: 'Ana, on site' }]);
  });
});
