import type { DeskBooking } from '@portage/api';
import { problem } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { desk, open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();
beforeEach(() => {
  signedInAs('ops');
  // jsdom has no files to hand out
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:file', revokeObjectURL: () => undefined }));
});

const first = () => desk.world.bookings[0] as DeskBooking;
const calls = (end: string) => desk.world.asked.filter((call) => call.path.includes(end));

async function part() {
  desk.world.bookings[0] = { ...first(), status: 'completed' };
  const opened = open(`/bookings/${first().id}`);
  const invoice = within(await screen.findByRole('region', { name: 'Invoice and documents' }));
  return { ...opened, invoice };
}

describe('the invoice of a booking', () => {
  it('is drafted, issued with sending, and taken back with a reason', async () => {
    const { user, invoice } = await part();
    await user.click(await invoice.findByRole('button', { name: 'Draft an invoice' }));
    await user.click(await invoice.findByRole('button', { name: 'Issue and send' }));
    expect(await invoice.findByRole('button', { name: 'Download 2027-000001' })).toBeVisible();
    expect(await screen.findByText(/Invoice sent\. File sent/)).toBeVisible();
    await user.click(invoice.getByRole('button', { name: 'Take back…' }));
    const dialog = within(await screen.findByRole('dialog'));
    const run = dialog.getByRole('button', { name: 'Write the credit note' });
    expect(run).toBeDisabled();
    // "Cancel" beside taking back could mean either
    expect(dialog.queryByRole('button', { name: 'Cancel' })).toBeNull();
    expect(dialog.getByRole('button', { name: 'Leave it as it is' })).toBeEnabled();
    await user.type(dialog.getByLabelText('Why: the customer reads it on the credit note'), 'Wrong company');
    await user.click(run);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls('/void/')[0]?.body).toEqual({ reason: 'Wrong company' });
    expect(await invoice.findByRole('button', { name: 'Download CN-2027-000001' })).toBeVisible();
    expect(invoice.getByRole('button', { name: 'Draft an invoice' })).toBeVisible();
  });

  it('keeps the version with what is written into a draft', async () => {
    const { user, invoice } = await part();
    await user.click(await invoice.findByRole('button', { name: 'Draft an invoice' }));
    await user.click(await invoice.findByRole('button', { name: 'Change…' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Bill to'), 'Roy inc.');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const [sent] = desk.world.asked.filter((call) => call.method === 'PUT' && call.path.includes('/invoices/'));
    expect(sent).toMatchObject({ version: '"1"', body: { buyer: 'Roy inc.', lines: [{ key: '0:labour' }] } });
  });

  it('says why it was refused', async () => {
    const { user, invoice } = await part();
    server.use(http.post('*/api/invoices', () => problem(409, 'invoice_exists', 'There is an invoice already')));
    await user.click(await invoice.findByRole('button', { name: 'Draft an invoice' }));
    expect(await invoice.findByText('That did not work')).toBeVisible();
  });

  it('is not spoken of before the move is done', async () => {
    open(`/bookings/${first().id}`);
    await screen.findByRole('heading', { level: 1 });
    expect(screen.queryByRole('region', { name: 'Invoice and documents' })).toBeNull();
  });
});

describe('the list of invoices', () => {
  it('asks for what is chosen and leads to the booking', async () => {
    const { user, invoice } = await part();
    await user.click(await invoice.findByRole('button', { name: 'Draft an invoice' }));
    await invoice.findByRole('button', { name: 'Issue and send' });
    open('/invoices?state=draft&value=roy');
    const link = await screen.findByRole('link', { name: 'Draft' });
    expect(link).toHaveAttribute('href', `/dashboard/bookings/${first().id}`);
    const asked = desk.world.asked.findLast((call) => call.method === 'GET' && call.path.endsWith('/invoices'));
    expect(asked?.query).toMatchObject({ states: 'draft', value: 'roy' });
    // a long name takes no room of the amounts
    const buyer = screen.getByRole('columnheader', { name: 'Bill to' });
    expect(buyer.style.width).toBe('100%');
    const cells = [...(link.closest('tr') as HTMLTableRowElement).cells];
    expect(cells.filter((cell) => cell.dataset['share']).map((cell) => cell.cellIndex)).toEqual([
      (buyer as HTMLTableCellElement).cellIndex,
    ]);
    // amounts stand right, below each other
    for (const name of ['Document total', 'Amount due'])
      expect(screen.getByRole('columnheader', { name })).toHaveAttribute('data-numeric', 'true');
  });
});

describe('the contract of a booking', () => {
  it('is taken along, and says when it did not come', async () => {
    const { user } = open(`/bookings/${first().id}`);
    const button = await screen.findByRole('button', { name: 'Contract as PDF' });
    await user.click(button);
    await waitFor(() => expect(calls('/contract')).toHaveLength(1));
    server.use(http.get('*/api/c/bookings/:id/contract', () => problem(503, 'busy', 'Too busy')));
    await user.click(button);
    expect(await screen.findByText('The contract could not be downloaded')).toBeVisible();
  });
});
