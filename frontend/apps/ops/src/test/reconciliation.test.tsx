import { problem, someComparison, someDifference } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';

import { desk, open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();
beforeEach(() => signedInAs('ops'));

const sent = (end: string) => desk.world.asked.filter(({ method, path }) => method === 'POST' && path.endsWith(end));
const dispute = () =>
  someDifference({
    id: 'difference-2',
    kind: 'dispute_lost',
    text: 'The bank gave $459.90 back after a dispute',
    repair: null,
    advice: 'Read the bank’s decision in the payment service’s control panel.',
  });
const items = async () => within(await screen.findByRole('list', { name: 'Differences' })).getAllByRole('listitem');

describe('reconciliation', () => {
  it('says that nothing was compared yet, and has it done', async () => {
    const { user } = open('/reconciliation');
    expect(await screen.findByText('Nothing was compared yet')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Compare now' }));
    expect(await screen.findByText('Payment service, ledger and histories agree.')).toBeVisible();
    expect(sent('/reconciliation')).toHaveLength(1);
    // what was compared stands beside
    expect(screen.getByText('Ana Roy')).toBeVisible();
    expect(screen.getByText('1,240')).toBeVisible();
  });

  it('shows each difference in words, and what a person must do where nothing repairs it', async () => {
    desk.world.books.last = someComparison([dispute(), someDifference()]);
    open('/reconciliation');
    const [first, second] = await items();
    expect(first).toHaveTextContent('Read the bank’s decision');
    expect(within(first as HTMLElement).queryByRole('button')).toBeNull();
    expect(within(second as HTMLElement).getByRole('link', { name: 'PTG10K' })).toBeVisible();
    expect(second).toHaveTextContent('Posts the missing entry of PTG10K-deposit-1');
    expect(screen.getByText('2 differences wait for somebody.')).toBeVisible();
  });

  it('says that the last comparison failed, when and why, beside the older one', async () => {
    desk.world.books.last = someComparison([]);
    desk.world.books.failed = {
      at: '2027-02-09T15:00:00Z',
      why: 'gateway list: connection refused',
      nextTry: '2027-02-09T15:10:00Z',
    };
    open('/reconciliation');
    expect(await screen.findByText('The last comparison failed')).toBeVisible();
    expect(screen.getByText(/^It failed on February 9, 2027.*: gateway list: connection refused$/)).toBeVisible();
    expect(screen.getByText(/^It is tried again on February 9, 2027/)).toBeVisible();
    expect(screen.getByText('What stands below is older.')).toBeVisible();
    expect(screen.getByText('Payment service, ledger and histories agree.')).toBeVisible();
  });

  it('stops waiting for a comparison that failed', async () => {
    server.use(
      http.post('*/api/reconciliation', () => {
        desk.world.books.failed = { at: '2027-02-09T15:05:00Z', why: 'no answer' };
        return HttpResponse.json({ askedAt: '2027-02-09T15:04:00Z' });
      }),
    );
    const { user } = open('/reconciliation');
    await user.click(await screen.findByRole('button', { name: 'Compare now' }));
    expect(await screen.findByText('The last comparison failed')).toBeVisible();
    expect(screen.getByText(/^It was given up/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Compare now' })).toBeEnabled();
  });

  it('says since when a difference is there that nobody repaired', async () => {
    desk.world.books.last = someComparison([someDifference({ firstSeen: '2027-01-12T15:00:00Z' })]);
    open('/reconciliation');
    const [only] = await items();
    expect(only).toHaveTextContent(/First seen on January 12, 2027/);
  });

  it('says before a repair what it will do, and does it once', async () => {
    desk.world.books.last = someComparison([someDifference()]);
    const { user } = open('/reconciliation');
    await user.click(await screen.findByRole('button', { name: /^Repair: The ledger has no entry/ }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/Posts the missing entry of PTG10K-deposit-1/)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Do exactly that' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await screen.findByText(/^Repaired by Ana Roy/)).toBeVisible();
    expect(screen.getByText('Nothing is left to be done.')).toBeVisible();
    expect(sent('/repair')).toHaveLength(1);
    expect(sent('/repair')[0]?.key).toMatch(/.{16,}/);
    // the button that asked is gone, the focus is not
    await waitFor(() => expect(document.body).not.toHaveFocus());
  });

  it('keeps the question open when the difference has changed, and says so', async () => {
    desk.world.books.last = someComparison([someDifference()]);
    server.use(http.post('*/api/reconciliation/:id/repair', () => problem(409, 'repair_changed', 'Look again.')));
    const { user } = open('/reconciliation');
    await user.click(await screen.findByRole('button', { name: /^Repair:/ }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Do exactly that' }));
    expect(await dialog.findByText('Look again.')).toBeVisible();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('tells differences that are none from those that are', async () => {
    desk.world.books.last = someComparison([someDifference()], { total: 12_000 });
    open('/reconciliation');
    expect(await screen.findByText('So many differences are none')).toBeVisible();
    expect(screen.getByText(/^12,000 were found/)).toBeVisible();
  });

  it('says what failed, with another try', async () => {
    let away = true;
    server.use(
      http.get('*/api/reconciliation', () =>
        away ? problem(503, 'busy', 'Too busy') : HttpResponse.json({ last: null }),
      ),
    );
    const { user } = open('/reconciliation');
    const again = await screen.findByRole('button', { name: 'Try again' });
    away = false;
    await user.click(again);
    expect(await screen.findByText('Nothing was compared yet')).toBeVisible();
  });
});
