import { problem, someMonth } from '@portage/mock-api';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { endOf } from '../features/books/end-of-day.ts';
import { desk, open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();
beforeEach(() => signedInAs('ops'));

const asked = (path: string) => desk.world.asked.filter((call) => call.path === path);
/** What the browser was given to keep. */
function keptFiles(): string[] {
  const names: string[] = [];
  URL.createObjectURL = () => 'blob:file';
  URL.revokeObjectURL = () => undefined;
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  return names;
}

describe('the end of a day', () => {
  it('tells what came and went, what was earned, taxes and tips', async () => {
    open('/books?part=day&date=2027-02-09');
    const came = (await screen.findByRole('heading', { name: 'Came in' })).closest('section') as HTMLElement;
    expect(within(came).getByText('In cash').nextSibling).toHaveTextContent('$100.00');
    const taxes = screen.getByRole('heading', { name: 'Taxes collected' }).closest('section') as HTMLElement;
    expect(taxes).toHaveTextContent('GST$25.00');
    expect(taxes).not.toHaveTextContent('HST');
    expect(screen.getByText(/Nothing was compared/)).toBeVisible();
    const table = screen.getByRole('table', { name: 'What was moved, by account' });
    expect(within(table).getByRole('row', { name: /Payment service/ })).toHaveTextContent('$1,034.78$114.98');
  });

  it('is asked for the day that was chosen, which stands in the address', async () => {
    const { router } = open('/books?part=day&date=2027-02-09');
    const day = await screen.findByLabelText('Day of the report');
    fireEvent.change(day, { target: { value: '2027-02-08' } });
    await waitFor(() => expect(asked('/books/day').at(-1)?.query).toEqual({ date: '2027-02-08' }));
    expect(router.state.location.search).toMatchObject({ date: '2027-02-08' });
    // half a date changes nothing
    fireEvent.change(day, { target: { value: '' } });
    expect(router.state.location.search).toMatchObject({ date: '2027-02-08' });
  });

  it('says what failed', async () => {
    server.use(http.get('*/api/books/day', () => problem(503, 'busy', 'Too busy')));
    open('/books');
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible();
  });
});

describe('the journal', () => {
  it('is downloaded for the days that were chosen', async () => {
    const names = keptFiles();
    const { user } = open('/books?part=journal&from=2027-02-01&to=2027-02-28');
    await user.click(await screen.findByRole('button', { name: 'Download the journal' }));
    await waitFor(() => expect(names).toEqual(['journal-2027-02-01-2027-02-28.csv']));
    expect(asked('/journal')[0]?.query).toEqual({ from: '2027-02-01', to: '2027-02-28' });
  });

  it('says at once what cannot be downloaded', async () => {
    open('/books?part=journal&from=2027-02-10&to=2027-02-01');
    expect(await screen.findByText('The last day comes before the first.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Download the journal' })).toBeDisabled();
    fireEvent.change(screen.getByLabelText('Journal from'), { target: { value: '2025-02-01' } });
    expect(await screen.findByText('Choose at most 400 days.')).toBeVisible();
  });

  it('says when the file did not come', async () => {
    server.use(http.get('*/api/journal', () => problem(503, 'busy', 'Too busy')));
    const { user } = open('/books?part=journal');
    await user.click(await screen.findByRole('button', { name: 'Download the journal' }));
    expect(await screen.findByText('The file could not be fetched')).toBeVisible();
  });
});

describe('the trust report', () => {
  const row = {
    bookingId: '00000000-0000-7000-8000-000000000000',
    shortId: 'PTG10K',
    customer: 'Camille Roy',
    moveDate: '2027-04-26',
    since: '2027-02-09T14:00:01Z',
    amount: '114.98',
  };

  it('lists what is held for which move, with the sum, and is downloaded', async () => {
    desk.world.books.trust = [row];
    const names = keptFiles();
    const { user } = open('/books?part=trust');
    const found = await screen.findByRole('row', { name: /PTG10K/ });
    expect(found).toHaveTextContent('Camille Roy');
    expect(found).toHaveTextContent('April 26, 2027');
    expect(screen.getByText(/Held in trust:/)).toHaveTextContent('$114.98');
    await user.click(screen.getByRole('button', { name: 'Download the trust report' }));
    await waitFor(() => expect(names[0]).toMatch(/^trust-.*\.csv$/));
  });

  it('says when the account says something else', async () => {
    desk.world.books.trust = [row];
    desk.world.books.account = '100.00';
    open('/books?part=trust');
    expect(await screen.findByText(/The account says \$100\.00/)).toBeVisible();
  });

  it('says that nothing is held', async () => {
    open('/books?part=trust');
    expect(await screen.findByText('Nothing is held in trust')).toBeVisible();
  });
});

describe('balances', () => {
  it('are those of now for today, and of the end of an earlier day', async () => {
    open('/books?part=balances');
    const table = await screen.findByRole('table', { name: 'Balances' });
    expect(within(table).getByRole('row', { name: /Customer prepayments/ })).toHaveTextContent('−$1,034.78');
    expect(asked('/books/balances')[0]?.query).toEqual({});
    fireEvent.change(screen.getByLabelText('At the end of this day'), { target: { value: '2026-07-01' } });
    await waitFor(() => expect(asked('/books/balances').at(-1)?.query).toEqual({ at: '2026-07-02T03:59:59.999Z' }));
  });

  it('end a day where Montréal does, on either side of a clock change', () => {
    expect(endOf('2027-02-09')).toBe('2027-02-10T04:59:59.999Z');
    expect(endOf('2027-03-13')).toBe('2027-03-14T04:59:59.999Z');
    expect(endOf('2027-03-14')).toBe('2027-03-15T03:59:59.999Z');
    expect(endOf('2027-11-07')).toBe('2027-11-08T04:59:59.999Z');
  });
});

const month = (name: string) =>
  screen.findByRole('heading', { name, level: 2 }).then((heading) => within(heading.closest('li') as HTMLElement));

describe('months', () => {
  it('are closed by an administrator, who is told what that means', async () => {
    signedInAs('admin');
    const { user } = open('/books?part=months');
    const running = await month('February 2027');
    expect(running.getByText(/^Not over: it can be closed from March 1, 2027/)).toBeVisible();
    expect(running.queryByRole('button', { name: /^Close/ })).toBeNull();
    expect(screen.getByText(/closes everything before it, too/)).toBeVisible();
    await user.click((await month('January 2027')).getByRole('button', { name: 'Close…: January 2027' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Close January 2027?' }));
    expect(dialog.getByText(/no entry, invoice, credit note or receipt is dated in January 2027/)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Close the month' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect((await month('January 2027')).getByText(/^Closed by Ana Roy, February 9, 2027/)).toBeVisible();
    expect(asked('/books/months/close').map(({ body }) => body)).toEqual([{ month: '2027-01' }]);
    expect(screen.queryByText(/closes everything before it, too/)).toBeNull();
  });

  it('are reopened with a reason', async () => {
    signedInAs('admin');
    desk.world.books.months = [
      someMonth('2027-01', { state: 'closed', closedAt: '2027-02-01T15:00:00Z', closedBy: 'Ana Roy', mayReopen: true }),
      someMonth('2026-12', { state: 'closed' }),
    ];
    const { user } = open('/books?part=months');
    expect((await month('December 2026')).getByText('Closed with a later month')).toBeVisible();
    await user.click((await month('January 2027')).getByRole('button', { name: 'Reopen…: January 2027' }));
    const dialog = within(await screen.findByRole('dialog'));
    const run = dialog.getByRole('button', { name: 'Reopen the month' });
    expect(run).toBeDisabled();
    await user.type(dialog.getByLabelText('Why it is reopened'), ' An invoice came late ');
    await user.click(run);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect((await month('January 2027')).getByText('Open')).toBeVisible();
    expect(asked('/books/months/reopen').map(({ body }) => body)).toEqual([
      { month: '2027-01', reason: 'An invoice came late' },
    ]);
  });

  it('keep the question open where the server refuses, with its words', async () => {
    signedInAs('admin');
    server.use(http.post('*/api/books/months/close', () => problem(409, 'month_order', '2026-12 comes first.')));
    const { user } = open('/books?part=months');
    await user.click((await month('January 2027')).getByRole('button', { name: /^Close/ }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Close the month' }));
    expect(await dialog.findByText('The month stays as it was')).toBeVisible();
    expect(dialog.getByText('2026-12 comes first.')).toBeVisible();
  });

  it('are taken along by anybody at the desk, and closed by administrators only', async () => {
    const names = keptFiles();
    const { user } = open('/books?part=months');
    const january = await month('January 2027');
    expect(screen.getByText('Administrators close and reopen months.')).toBeVisible();
    expect(january.queryByRole('button', { name: /^Close/ })).toBeNull();
    for (const file of ['Journal entry by entry', 'Journal by day', 'Invoices of the month'])
      await user.click(january.getByRole('button', { name: `${file}: January 2027` }));
    await waitFor(() => expect(names).toEqual(['journal-2027-01.csv', 'days-2027-01.csv', 'invoices-2027-01.csv']));
    expect(asked('/books/accounting').map(({ query }) => query)).toEqual(
      ['journal', 'days', 'invoices'].map((content) => ({ month: '2027-01', content })),
    );
  });
});

describe('aged balances', () => {
  const debtor = {
    name: 'Meubles Tremblay',
    partnerId: '00000000-0000-7000-8000-0000000000aa',
    amounts: { notDue: '0.00', to30: '574.88', to60: '0.00', to90: '0.00', over90: '100.00', total: '674.88' },
    bookings: [
      {
        bookingId: '00000000-0000-7000-8000-000000000000',
        shortId: 'PTG10K',
        moveDate: '2027-01-10',
        amount: '574.88',
        dueAt: '2027-02-01T15:00:00Z',
        daysLate: 8,
      },
    ],
  };

  it('say who owes what by how late it is, with the moves, and are downloaded', async () => {
    desk.world.books.aged = [debtor];
    const names = keptFiles();
    const { user } = open('/books?part=aged');
    const row = await screen.findByRole('row', { name: /Meubles Tremblay/ });
    expect(row).toHaveTextContent('$574.88');
    expect(row).toHaveTextContent('due for 8 days');
    expect(within(row).getByRole('link', { name: 'PTG10K' })).toBeVisible();
    expect(screen.getByText(/^Owed: /)).toHaveTextContent('$674.88');
    expect(screen.queryByText(/The accounts of customers say/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Download the aged balances' }));
    await waitFor(() => expect(names[0]).toMatch(/^aged-balances-.*\.csv$/));
    expect(asked('/books/aged')[0]?.query).not.toHaveProperty('at');
  });

  it('are those of the end of an earlier day, and say when the accounts differ', async () => {
    desk.world.books.account = '1.00';
    open('/books?part=aged&date=2027-02-08');
    expect(await screen.findByText(/The accounts of customers say \$1\.00/)).toBeVisible();
    expect(asked('/books/aged')[0]?.query).toMatchObject({ at: '2027-02-09T04:59:59.999Z' });
    expect(screen.getByText('Nobody owes anything')).toBeVisible();
  });
});
