import type { InvoiceBooking } from '@portage/api';
import { problem } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { desk, open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();
beforeEach(() => {
  signedInAs('ops');
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:file', revokeObjectURL: () => undefined }));
  desk.world.invoices.uninvoiced = [move(1), move(2), move(3)];
});

const tax = (name: string, amount: string) => ({ name, rate: '0.05', amount, province: null });

function move(n: number): InvoiceBooking {
  return {
    bookingId: `booking-${n}`,
    shortId: `MOVE0${n}`,
    moveDate: `2027-01-1${n}`,
    pickup: '1200 Avenue Bernard, Montréal',
    dropoff: `${n} Rue Peel, Montréal`,
    customer: `Camille ${n}`,
    reference: '',
    status: 'completed',
    subtotal: '500.00',
    taxes: [tax('gst', '25.00'), tax('qst', '49.88')],
    total: '574.88',
    due: '574.88',
  };
}

const calls = (end: string, method = 'POST') =>
  desk.world.asked.filter((call) => call.path.endsWith(end) && call.method === method);
const period = '?from=2027-01-01&to=2027-01-31';

/** The draft of the three moves, opened. */
async function drafted() {
  const opened = open(`/invoices/partner/partner-7${period}`);
  await opened.user.click(await screen.findByRole('button', { name: 'Draft this invoice' }));
  await screen.findByRole('heading', { level: 1, name: 'Invoice for Meubles Outremont' });
  return opened;
}

describe('the moves of a partner', () => {
  it('are chosen and become one draft', async () => {
    const { user } = open(`/invoices/partner/partner-7${period}`);
    await screen.findByRole('heading', { level: 1, name: 'Invoice the moves of Meubles Outremont' });
    const list = within(screen.getByRole('list', { name: 'Moves to invoice' }));
    expect(list.getAllByRole('listitem')).toHaveLength(3);
    expect(screen.getAllByText('$1,724.64')).toHaveLength(2);
    await user.click(list.getByRole('checkbox', { name: 'Put MOVE02 on the invoice' }));
    expect(screen.getByText('2 moves chosen')).toBeVisible();
    await user.selectOptions(screen.getByLabelText('Language of the invoice'), 'en');
    await user.click(screen.getByRole('button', { name: 'Draft this invoice' }));
    expect(await screen.findByRole('list', { name: 'Moves on this invoice' })).toBeVisible();
    expect(calls('/invoices')[0]?.body).toEqual({
      from: '2027-01-01',
      to: '2027-01-31',
      bookings: ['booking-1', 'booking-3'],
      language: 'en',
    });
  });

  it('begin with the last month', async () => {
    open('/invoices/partner/partner-7');
    await screen.findByRole('heading', { level: 1, name: /Invoice the moves/ });
    const [asked] = calls('/uninvoiced', 'GET');
    expect(asked?.query).toMatchObject({ from: expect.stringMatching(/-01$/), to: expect.stringMatching(/-\d\d$/) });
  });

  it('say when there is nothing to invoice, and why it was refused', async () => {
    const { user } = open(`/invoices/partner/partner-7${period}`);
    server.use(http.post('*/api/partner/:id/invoices', () => problem(409, 'invoice_exists', 'One is on another')));
    await user.click(await screen.findByRole('button', { name: 'Draft this invoice' }));
    expect(await screen.findByText('No invoice was drafted')).toBeVisible();
    desk.world.invoices.uninvoiced = [];
    open('/invoices/partner/partner-7?from=2026-01-01&to=2026-01-31');
    expect(await screen.findByText('Nothing to invoice')).toBeVisible();
  });
});

describe('the invoice of a partner', () => {
  it('gives moves up and takes them back while it is a draft', async () => {
    const { user } = await drafted();
    await user.click(screen.getByRole('button', { name: 'Take MOVE02 off this invoice' }));
    const others = within(await screen.findByRole('list', { name: 'Other moves of this period' }));
    await user.click(others.getByRole('button', { name: 'Add MOVE02 to this invoice' }));
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Other moves of this period' })).toBeNull());
    const sent = calls('/bookings', 'PUT').map((call) => [call.version, call.body]);
    expect(sent).toEqual([
      ['"1"', { bookings: ['booking-1', 'booking-3'] }],
      ['"2"', { bookings: ['booking-1', 'booking-3', 'booking-2'] }],
    ]);
  });

  it('has details: whose numbers they are is said of each booking', async () => {
    const { user } = await drafted();
    await user.click(screen.getByRole('button', { name: 'Change the details…' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Their number for MOVE01, Camille 1'), 'SO-77');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const [sent] = desk.world.asked.filter((call) => call.method === 'PUT' && call.path.endsWith('/batch-1'));
    expect(sent?.body).toMatchObject({ lines: expect.arrayContaining([{ key: 'booking-1', description: 'SO-77' }]) });
  });

  it('is issued, paid in part and then as a whole', async () => {
    const { user } = await drafted();
    await user.click(screen.getByRole('button', { name: 'Issue it only' }));
    const pay = async (amount: string, number: string) => {
      await user.click(await screen.findByRole('button', { name: 'Write a payment down…' }));
      const dialog = within(await screen.findByRole('dialog'));
      const field = dialog.getByLabelText('Sum received');
      await user.clear(field);
      await user.type(field, '99999');
      expect(dialog.getByText(/Enter a sum of at most/)).toBeVisible();
      await user.clear(field);
      await user.type(field, amount);
      await user.type(dialog.getByLabelText('Its number, for a transfer or a cheque'), number);
      await user.click(dialog.getByRole('button', { name: 'Write this payment down' }));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    };
    await pay('724.64', 'T-1');
    await pay('1000', 'T-2');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Write a payment down…' })).toBeNull());
    expect(calls('/payments').map((call) => call.body)).toEqual([
      { method: 'etransfer', amount: '724.64', reference: 'T-1' },
      { method: 'etransfer', amount: '1000.00', reference: 'T-2' },
    ]);
  });

  it('is taken back with a reason', async () => {
    const { user } = await drafted();
    await user.click(screen.getByRole('button', { name: 'Issue it only' }));
    await user.click(await screen.findByRole('button', { name: 'Take the invoice back…' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Why: the partner reads it on the credit note'), 'Wrong month');
    await user.click(dialog.getByRole('button', { name: 'Take it back' }));
    expect(await screen.findByRole('button', { name: 'Document CN-2027-000001 as PDF' })).toBeVisible();
    expect(calls('/void/batch-1')[0]?.body).toEqual({ reason: 'Wrong month' });
  });

  it('is reached from the list', async () => {
    await drafted();
    open('/invoices');
    const link = await screen.findByRole('link', { name: 'Draft' });
    expect(link).toHaveAttribute('href', '/dashboard/invoices/batch/batch-1');
  });
});
