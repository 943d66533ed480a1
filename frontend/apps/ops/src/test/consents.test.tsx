import type { DeskBooking } from '@portage/api';
import { problem, someConsent } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';

import { desk, open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();
beforeEach(() => signedInAs('ops'));

const first = () => desk.world.bookings[0] as DeskBooking;
const waits = (change: Partial<DeskBooking> = {}) => {
  desk.world.bookings[0] = { ...first(), chargesWait: true, consents: [someConsent()], ...change };
};

describe('a booking that waits for its customer', () => {
  it('says that nothing is charged, whom it asked and until when', async () => {
    waits();
    open(`/bookings/${first().id}`);
    expect(await screen.findByText('Waiting for the customer’s agreement')).toBeVisible();
    expect(screen.getByText(/No card is charged for this move until they agree\./)).toBeVisible();
    expect(screen.getByText(/ana@example\.test was asked, and has until/)).toBeVisible();
  });

  it('asks again, and a later press is another question', async () => {
    waits({ consents: [someConsent({ standing: 'lapsed' })] });
    const keys: (string | null)[] = [];
    server.use(
      http.post('*/api/bookings/:id/consent-link', ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        const { id, text, amount, expiresAt, sentTo } = someConsent();
        return HttpResponse.json({ id, text, amount, expiresAt, sentTo }, { status: 201 });
      }),
    );
    const { user } = open(`/bookings/${first().id}`);
    expect(await screen.findByText(/No answer came in time: ask again, or call/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Ask again by e-mail' }));
    expect(await screen.findByText(/ana@example\.test was asked, and has until/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Ask again by e-mail' }));
    await waitFor(() => expect(keys).toHaveLength(2));
    expect(new Set(keys).size).toBe(2);
  });

  it('writes down a yes on the telephone, with the words that were read out', async () => {
    waits();
    const sent: unknown[] = [];
    server.use(
      http.post('*/api/bookings/:id/consent', async ({ request }) => {
        sent.push(await request.json());
        return sent.length === 1
          ? problem(409, 'consent_outdated', 'It has changed since.')
          : HttpResponse.json(first());
      }),
    );
    const { user } = open(`/bookings/${first().id}`);
    await user.click(await screen.findByRole('button', { name: 'Agreed on the telephone…' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/I agree that my card ending in 1111 is charged:/)).toBeVisible();
    const run = dialog.getByRole('button', { name: 'Write the agreement down' });
    expect(run).toBeDisabled();
    await user.type(dialog.getByLabelText('Who agreed, and how'), ' Ana Roy, at ten ');
    await user.click(run);
    expect(await dialog.findByText('It has changed since.')).toBeVisible();
    await user.click(run);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent[1]).toEqual({ consentId: someConsent().id, note: 'Ana Roy, at ten' });
  });

  it('keeps what was asked and said on the record', async () => {
    waits({
      chargesWait: false,
      consents: [
        someConsent({ id: 'a', standing: 'replaced' }),
        someConsent({
          id: 'b',
          standing: 'agreed',
          how: 'telephone',
          note: 'Ana, at ten',
          answeredAt: '2027-02-10T15:00:00Z',
        }),
      ],
    });
    const { user } = open(`/bookings/${first().id}`);
    expect(screen.queryByText('Waiting for the customer’s agreement')).toBeNull();
    await user.click(await screen.findByText(/Charging again: agreed/));
    expect(screen.getByText(/On the telephone: Ana, at ten\./)).toBeVisible();
    expect(screen.getByText(/Charging again: replaced/)).toBeVisible();
  });

  it('asks for overtime by a mail instead of a yes that was typed', async () => {
    desk.world.bookings[0] = { ...first(), status: 'completed' };
    const sent: unknown[] = [];
    server.use(
      http.get('*/api/bookings/:id/overtime', () =>
        HttpResponse.json({ amount: '111.00', tax: '16.62', total: '127.62', newTotal: '574.87' }),
      ),
      http.post('*/api/bookings/:id/overtime/consent-link', async ({ request }) => {
        sent.push(await request.json());
        const { id, text, amount, expiresAt, sentTo } = someConsent({ kind: 'overtime' });
        return HttpResponse.json({ id, text, amount, expiresAt, sentTo }, { status: 201 });
      }),
    );
    const { user } = open(`/bookings/${first().id}`);
    await user.click(await screen.findByRole('button', { name: 'It took longer…' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Minutes beyond what was agreed'), '45');
    await user.selectOptions(dialog.getByLabelText('Why it took longer'), 'elevator');
    expect(await dialog.findByText('$127.62')).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Ask by e-mail' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent).toEqual([{ minutes: 45, cause: 'elevator' }]);
  });
});
