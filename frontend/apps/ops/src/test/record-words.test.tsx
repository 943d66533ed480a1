import type { DeskBooking, PriceLine } from '@portage/api';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { desk, open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();
beforeEach(() => signedInAs('ops'));
afterEach(() => server.events.removeAllListeners());

const first = () => desk.world.bookings[0] as DeskBooking;
const set = (change: Partial<DeskBooking>) => {
  desk.world.bookings[0] = { ...first(), ...change };
};
const record = () => open(`/bookings/${first().id}`);
const dialog = async () => within(await screen.findByRole('dialog'));
const cancelLabel = 'Why: the customer reads it in the message about the cancellation';
const onCreditNote = /the customer reads it on the credit note/;
const inHistory = /Colleagues read it in the history/;

describe('a reason says who reads it', () => {
  it('the one for a cancellation is mailed to the customer', async () => {
    const { user } = record();
    await user.click(await screen.findByRole('button', { name: 'Cancel it' }));
    const reason = (await dialog()).getByLabelText(cancelLabel);
    expect(reason).toBeRequired();
    expect(reason).toHaveAccessibleDescription('Required. It also stands in the history.');
  });

  it('the one for a status stays with colleagues', async () => {
    const { user } = record();
    await user.click(await screen.findByRole('button', { name: 'Set status' }));
    const shown = await dialog();
    await user.click(shown.getByRole('radio', { name: 'assigned' }));
    expect(shown.getByLabelText('Reason')).toHaveAccessibleDescription(inHistory);
    await user.click(shown.getByRole('radio', { name: 'completed' }));
    expect(shown.getByLabelText('Reason')).toHaveAccessibleDescription(/^Required\. Colleagues read it/);
  });

  it('the one for a cancellation that is undone stands on its credit note', async () => {
    set({ status: 'cancelled', allowedStatuses: [{ status: 'pending', allowed: true, needs: ['reason'] }] });
    const { user } = record();
    await user.click(await screen.findByRole('button', { name: 'Set status' }));
    const shown = await dialog();
    await user.click(shown.getByRole('radio', { name: 'pending' }));
    expect(shown.getByLabelText('Reason')).toHaveAccessibleDescription(onCreditNote);
  });

  it('the one for several says so where a cancellation is undone', async () => {
    const { user } = open('/bookings');
    await user.click(await screen.findByRole('checkbox', { name: /PTG10K/ }));
    await user.click(await screen.findByRole('button', { name: 'Set status' }));
    const shown = await dialog();
    const reason = shown.getByLabelText('Reason');
    expect(reason).toHaveAccessibleDescription(/Colleagues read it in the history of each booking/);
    expect(reason).not.toHaveAccessibleDescription(onCreditNote);
    await user.selectOptions(shown.getByLabelText('New status'), 'pending');
    expect(reason).toHaveAccessibleDescription(onCreditNote);
  });
});

describe('how it is paid', () => {
  it('says what the move costs in all, what came of it, and what is to come', async () => {
    set({ paymentState: 'deposit_paid', total: '1991.94', netPaid: '398.39', owed: '1593.55', payments: [] });
    record();
    const all = (await screen.findAllByText('$1,991.94'))[0];
    expect(all?.closest('p')).toHaveTextContent(/^\$1,991\.94 in all\$398\.39 paid\$1,593\.55 still to come/);
    expect(screen.queryByText('deposit')).toBeNull();
  });

  it('is told as a way, and not as a fact, where everything went back', async () => {
    set({ payment: 'card', paymentState: 'refunded', owed: '0.00', netPaid: '0.00' });
    record();
    expect((await screen.findAllByText('Way of payment: card'))[0]).toBeVisible();
    expect(screen.queryByText(/^Paid by/)).toBeNull();
  });
});

describe('the invoice of what was cancelled', () => {
  const asked = () => {
    const urls: string[] = [];
    server.events.on('request:start', ({ request }) => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith('/api/invoices/')) urls.push(pathname);
    });
    return urls;
  };

  it('is not asked for where nothing was kept', async () => {
    set({ status: 'cancelled', kept: '0.00' });
    const urls = asked();
    record();
    // its other parts are there
    await screen.findByText('Received');
    expect(urls).toEqual([]);
  });

  it('is asked for where money was kept', async () => {
    set({ status: 'cancelled', kept: '89.45' });
    const urls = asked();
    record();
    await waitFor(() => expect(urls).toHaveLength(1));
  });
});

describe('a change', () => {
  it.each(['completed', 'invoiced', 'payed', 'cancelled', 'deleted'] as const)(
    'is not offered for what is %s, neither by a button nor by a key nor by an address',
    async (status) => {
      set({ status });
      const { user, router } = record();
      await screen.findByRole('button', { name: 'Set status' });
      expect(screen.queryByRole('button', { name: 'Change' })).toBeNull();
      await user.keyboard('e');
      expect(router.state.location.pathname).toBe(`/bookings/${first().id}`);
      await router.navigate({ to: '/bookings/$id/change', params: { id: first().id } });
      const title = 'This booking cannot be changed any more';
      expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible();
      expect(screen.getByRole('link', { name: 'Back to the booking' })).toBeVisible();
      expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
    },
  );

  it('is offered before the move is done', async () => {
    record();
    expect(await screen.findByRole('button', { name: 'Change' })).toBeVisible();
  });

  const begin = async () => {
    const opened = open(`/bookings/${first().id}/change`);
    fireEvent.change(await screen.findByLabelText('Comments of the customer'), { target: { value: 'Piano' } });
    return { ...opened, save: screen.getByRole('button', { name: 'Save' }) };
  };

  it('keeps Save in the order of the keys while its price is worked out, and says why it waits', async () => {
    let answer = () => {};
    const told = new Promise<void>((done) => {
      answer = done;
    });
    server.use(http.post('*/api/bookings/:id/preview', () => told.then(() => undefined)));
    const { user, save } = await begin();
    expect(save).toHaveAttribute('aria-disabled', 'true');
    expect(save).not.toBeDisabled();
    await user.click(save);
    expect(save).toHaveFocus();
    const why = 'What it costs is still being worked out. Press again once it stands here.';
    const form = within(save.closest('form') as HTMLElement);
    expect(form.getByText(why)).toBeVisible();
    expect(screen.getByTestId('announcer')).toHaveTextContent(why);
    answer();
    await waitFor(() => expect(save).not.toHaveAttribute('aria-disabled'));
    expect(form.queryByText(why)).toBeNull();
    expect(desk.world.asked.filter((call) => call.method === 'PUT')).toEqual([]);
  });

  it('says that nothing is changed where Save is pressed at once', async () => {
    const { user } = open(`/bookings/${first().id}/change`);
    await user.click(await screen.findByRole('button', { name: 'Save' }));
    expect(screen.getAllByText('Nothing is changed yet.').length).toBeGreaterThan(1);
  });

  const fee = (amount: string) => ({ ...(first().lines[0] as PriceLine), code: 'change_fee', amount });
  const answers = (change: object, booking: Partial<DeskBooking>) =>
    server.use(
      http.post('*/api/bookings/:id/preview', () =>
        HttpResponse.json({
          oldTotal: '447.25',
          newTotal: '543.48',
          changeFee: '0.00',
          difference: '96.23',
          chargeNow: '0.00',
          refundNow: '0.00',
          paymentPlan: first().paymentPlan,
          booking: { ...first(), ...booking },
          ...change,
        }),
      ),
    );

  it('tells its fee before tax and with it, apart from an earlier one', async () => {
    set({ lines: [...first().lines, fee('10.00')] });
    answers({ changeFee: '96.23' }, { lines: [...first().lines.slice(0, -1), fee('93.70')] });
    await begin();
    const row = (await screen.findByText('Fee for this change')).closest('div');
    expect(row).toHaveTextContent('Fee for this change $83.70 + tax$96.23');
  });

  it('tells its fee alone where the lines of the price do not say it', async () => {
    answers({ changeFee: '96.23' }, {});
    await begin();
    const row = (await screen.findByText('Fee for this change')).closest('div');
    expect(row).toHaveTextContent(/^Fee for this change\$96\.23$/);
  });

  it('says that a tip in percent grows with the price', async () => {
    set({ tips: '38.90' });
    answers({}, { tips: '47.27' });
    await begin();
    const row = (await screen.findByText('Tip')).closest('div');
    expect(row).toHaveTextContent('Tip$38.90 → $47.27');
  });

  it('says nothing of a tip that stays', async () => {
    set({ tips: '38.90' });
    answers({}, { tips: '38.90' });
    await begin();
    await screen.findByText('New total');
    expect(screen.queryByText('Tip')).toBeNull();
  });
});
