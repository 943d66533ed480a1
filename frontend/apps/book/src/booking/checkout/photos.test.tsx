import { type Account, accountHandlers, freshAccount, problem, someBooking } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';

import { renderApp, server, signInForTest, useApp } from '../../test/render-app.tsx';

useApp();

let account: Account;
/** Answers of the server to photos, in order; without one the photo is taken. */
let answers: (() => Response | Promise<Response>)[];
let sent: { key: string | null; authorised: boolean; at: number }[];
let sending: number;
let most: number;

beforeEach(() => {
  account = freshAccount();
  account.bookings = [someBooking({ photos: ['/api/photos/p-1'] })];
  answers = [];
  sent = [];
  sending = 0;
  most = 0;
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:photo', revokeObjectURL: () => {} }));
  server.use(
    ...accountHandlers(account),
    http.get(
      '*/api/photos/:id',
      () => new HttpResponse(new Uint8Array([1]), { headers: { 'Content-Type': 'image/jpeg' } }),
    ),
    http.post('*/api/bookings/:id/photos', async ({ request }) => {
      sending += 1;
      most = Math.max(most, sending);
      sent.push({
        key: request.headers.get('Idempotency-Key'),
        authorised: request.headers.get('Authorization')?.startsWith('Bearer ') ?? false,
        at: sent.length,
      });
      await new Promise((later) => {
        setTimeout(later, 20);
      });
      sending -= 1;
      const said = answers.shift();
      if (said) return said();
      return HttpResponse.json(
        { id: `p-${sent.length + 1}`, url: `/api/photos/p-${sent.length + 1}` },
        { status: 201 },
      );
    }),
  );
  signInForTest();
});

const photo = (name: string, bytes = 5) => {
  const file = new File(['x'], name, { type: 'image/jpeg' });
  Object.defineProperty(file, 'size', { value: bytes });
  return file;
};

async function page() {
  const app = await renderApp('/profile/bookings/0192-0001');
  const section = await screen.findByRole('region', { name: 'Photos of what is special' });
  return { ...app, section: within(section), input: screen.getByTestId('photo-input') };
}

it('shows the photos, and sends others one after the other, each with a key of its own', async () => {
  const { user, section, input } = await page();
  expect(await section.findByAltText('Photo 1')).toHaveAttribute('src', 'blob:photo');
  await user.upload(input, [photo('a.jpg'), photo('b.jpg')]);
  expect(await section.findByAltText('Photo 3')).toBeVisible();
  expect(section.queryByRole('progressbar')).toBeNull();
  expect(most).toBe(1);
  expect(sent.every(({ authorised }) => authorised)).toBe(true);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
});

it('says in the words of the server why a photo was not taken, and goes on with the next', async () => {
  answers = [() => problem(422, 'photo_heic', 'This is a HEIC photo. Send it as JPEG.')];
  const { user, section, input } = await page();
  await user.upload(input, [photo('a.jpg'), photo('b.jpg')]);
  expect(await section.findByText('This is a HEIC photo. Send it as JPEG.')).toBeVisible();
  expect(await section.findByAltText('Photo 2')).toBeVisible();
  // nothing that sending it again would mend
  expect(section.queryByRole('button', { name: 'Try again' })).toBeNull();
  await user.click(section.getByRole('button', { name: 'Do not send a.jpg' }));
  expect(section.queryByText(/HEIC/)).toBeNull();
  expect(section.getByRole('button', { name: 'Add photos' })).toHaveFocus();
});

it('sends a photo that got lost again under its key', async () => {
  answers = [() => HttpResponse.error()];
  const { user, section, input } = await page();
  await user.upload(input, [photo('a.jpg')]);
  expect(await section.findByText(/could not reach the server/)).toBeVisible();
  await user.click(section.getByRole('button', { name: 'Try again' }));
  expect(await section.findByAltText('Photo 2')).toBeVisible();
  expect(sent).toHaveLength(2);
  expect(sent[0]?.key).toBe(sent[1]?.key);
});

it('sends nothing that is too large or empty', async () => {
  const { user, section, input } = await page();
  await user.upload(input, [photo('huge.jpg', 12 * 1024 * 1024 + 1), photo('empty.jpg', 0)]);
  expect(await section.findByText(/larger than 12 MB/)).toBeVisible();
  expect(section.getByText(/file is empty/)).toBeVisible();
  expect(sent).toEqual([]);
});

it('asks before a photo is deleted, and counts one that is gone already as deleted', async () => {
  server.use(http.delete('*/api/photos/:id', () => problem(404, 'not_found', 'Not found')));
  const { user, section } = await page();
  await user.click(await section.findByRole('button', { name: 'Delete photo 1' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete this photo?' });
  await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(section.queryByAltText('Photo 1')).toBeNull());
});

it('lets nothing be added once the move is over', async () => {
  account.bookings = [someBooking({ status: 'completed', photos: ['/api/photos/p-1'] })];
  await renderApp('/profile/bookings/0192-0001');
  const section = within(await screen.findByRole('region', { name: 'Photos of what is special' }));
  expect(await section.findByAltText('Photo 1')).toBeVisible();
  expect(section.queryByRole('button')).toBeNull();
});
