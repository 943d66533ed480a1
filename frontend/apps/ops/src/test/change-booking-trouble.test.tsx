import type { DeskBooking } from '@portage/api';
import { problem } from '@portage/mock-api';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, it } from 'vitest';

import { desk, open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();
beforeEach(() => signedInAs('ops'));

const first = () => desk.world.bookings[0] as DeskBooking;
const puts = () => desk.world.asked.filter((call) => call.method === 'PUT');
const save = () => screen.getByRole('button', { name: 'Save' });
const typed = async () => {
  const opened = open(`/bookings/${first().id}/change`);
  fireEvent.change(await screen.findByLabelText('Comments of the customer'), { target: { value: 'Piano' } });
  await waitFor(() => expect(save()).not.toHaveAttribute('aria-disabled'));
  return opened;
};
const unsaved = /^The change is not saved; everything you typed/;

it('saves once more by itself when the connection is back, with the same version', async () => {
  const { user, router } = await typed();
  let tries = 0;
  server.use(http.put('*/api/bookings/:id', () => (++tries === 1 ? HttpResponse.error() : undefined)));
  await user.click(save());
  expect(await screen.findByText(unsaved)).toBeVisible();
  expect(screen.getByText(/is saved once more by itself/)).toBeVisible();
  expect(screen.getByLabelText('Comments of the customer')).toHaveValue('Piano');
  fireEvent(window, new Event('online'));
  expect(await screen.findByText(/^The connection is back, and .* is changed$/)).toBeVisible();
  await waitFor(() => expect(router.state.location.pathname).toBe(`/bookings/${first().id}`));
  expect(puts()).toMatchObject([{ version: '"1"', body: { booking: { comments: 'Piano' } } }]);
});

it('does not save twice what had arrived although its answer was lost', async () => {
  const { user } = await typed();
  let tries = 0;
  server.use(
    http.put('*/api/bookings/:id', () => {
      tries += 1;
      desk.world.bookings[0] = { ...first(), comments: 'Piano', version: 2 };
      return HttpResponse.error();
    }),
  );
  await user.click(save());
  await screen.findByText(unsaved);
  fireEvent(window, new Event('online'));
  expect(await screen.findByText(/^The connection is back, and/)).toBeVisible();
  expect(tries).toBe(1);
});

it('tries once by itself for a press, and then by a button', async () => {
  const { user } = await typed();
  let tries = 0;
  server.use(http.put('*/api/bookings/:id', () => (++tries <= 2 ? HttpResponse.error() : undefined)));
  await user.click(save());
  await screen.findByText(unsaved);
  fireEvent(window, new Event('online'));
  await waitFor(() => expect(tries).toBe(2));
  await screen.findByText(unsaved);
  expect(screen.queryByText(/once more by itself/)).toBeNull();
  fireEvent(window, new Event('online'));
  expect(tries).toBe(2);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText(/^The connection is back, and/)).toBeVisible();
});

it('says that a colleague deleted the booking, and keeps what was typed', async () => {
  const { user } = await typed();
  const gone = () => problem(404, 'not_found', 'It belongs to another account.');
  server.use(http.post('*/api/bookings/:id/preview', gone), http.put('*/api/bookings/:id', gone));
  await user.click(save());
  const box = await screen.findByRole('alert');
  expect(box).toHaveTextContent('A colleague has deleted this booking');
  expect(box).not.toHaveTextContent('another account');
  expect(screen.getByLabelText('Comments of the customer')).toHaveValue('Piano');
  expect(screen.getByRole('link', { name: 'To the list' })).toHaveAttribute('href', '/dashboard/bookings');
});
