import type { DeskBooking } from '@portage/api';
import { problem } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, it } from 'vitest';

import { desk, open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();

let erased: string[];

beforeEach(() => {
  signedInAs('ops');
  erased = [];
  const booking = { ...(desk.world.bookings[0] as DeskBooking), status: 'completed' as const };
  desk.world.bookings[0] = booking;
  const photo = (id: string) => ({
    id,
    url: `/api/photos/${id}`,
    stage: 'after' as const,
    at: '2027-02-10T16:20:00Z',
    mateId: 'm1',
    name: 'Ali Haddad',
    width: 8,
    height: 6,
    bytes: 3,
  });
  const work = { plannedMinutes: 120, crew: [], photos: [photo('p1'), photo('p2')] };
  desk.world.work.set(booking.id, work);
  server.use(
    http.get('*/api/photos/:id', () => HttpResponse.arrayBuffer(new ArrayBuffer(3))),
    http.delete('*/api/photos/:id', ({ params }) => {
      const id = String(params['id']);
      erased.push(id);
      desk.world.work.set(booking.id, { ...work, photos: work.photos.filter((one) => one.id !== id) });
      return new HttpResponse(null, { status: 204 });
    }),
  );
});

async function record() {
  const { user } = open(`/bookings/${(desk.world.bookings[0] as DeskBooking).id}`);
  const work = within(await screen.findByRole('region', { name: 'How the work went' }));
  await user.click(await work.findByRole('button', { name: 'Erase: After the work, photo 1' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Erase “After the work, photo 1”?' }));
  return { user, work, dialog };
}

it('erases a photo of a crew only after it has asked', async () => {
  const { user, work, dialog } = await record();
  expect(dialog.getByText(/It is gone for the crew as well/)).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(erased).toEqual([]);
  await user.click(work.getByRole('button', { name: 'Erase: After the work, photo 1' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Erase' }));
  expect(await screen.findByText('The photo is erased')).toBeVisible();
  await waitFor(() => expect(work.getAllByRole('button', { name: /^Erase: / })).toHaveLength(1));
  expect(erased).toEqual(['p1']);
});

it('says why a photo stays', async () => {
  server.use(http.delete('*/api/photos/:id', () => problem(409, 'photo_closed', 'It is kept.')));
  const { user, work, dialog } = await record();
  await user.click(dialog.getByRole('button', { name: 'Erase' }));
  expect(await dialog.findByText('It is kept.')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(work.getAllByRole('button', { name: /^Erase: / })).toHaveLength(2);
});

it('takes a photo that is gone already as erased', async () => {
  server.use(
    http.delete('*/api/photos/:id', ({ params }) => {
      erased.push(String(params['id']));
      return problem(404, 'not_found', 'Not found.');
    }),
  );
  const { user, dialog } = await record();
  await user.click(dialog.getByRole('button', { name: 'Erase' }));
  expect(await screen.findByText('The photo is erased')).toBeVisible();
});
