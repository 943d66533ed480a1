import type { DeskBooking } from '@portage/api';
import { queryClient } from '@portage/frame';
import { KitProvider } from '@portage/kit';
import { problem } from '@portage/mock-api';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { Suspense } from 'react';
import { beforeEach, expect, it } from 'vitest';

import { PhotosPart } from '../features/bookings/record/photos-part.tsx';
import { bookingQuery } from '../features/bookings/record/queries.ts';
import { desk, open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();
beforeEach(() => signedInAs('ops'));

const first = () => desk.world.bookings[0] as DeskBooking;
const having = (...names: string[]) => {
  desk.world.bookings[0] = { ...first(), photos: names.map((name) => `/api/photos/${name}`) };
};
function Part() {
  const { data } = useQuery(bookingQuery(first().id));
  return data ? <PhotosPart booking={data} /> : null;
}
/** The part alone, of a record that is read: a whole page takes its time in each test. */
async function record() {
  const { container } = render(
    <KitProvider test>
      <QueryClientProvider client={queryClient}>
        <Suspense>
          <Part />
        </Suspense>
      </QueryClientProvider>
    </KitProvider>,
  );
  await screen.findByRole('heading', { name: 'Photos' });
  return { user: userEvent.setup(), what: within(container) };
}
const file = (name: string, type: string, size?: number) => {
  const made = new File(['x'], name, { type });
  if (size !== undefined) Object.defineProperty(made, 'size', { value: size });
  return made;
};
const choose = (what: Awaited<ReturnType<typeof record>>['what'], ...files: File[]) =>
  fireEvent.change(what.getByTestId('file-input'), { target: { files } });

it('says that there are none, and what may be sent, before anything is sent', async () => {
  const { what } = await record();
  expect(what.getByText(/^No photos yet/)).toBeVisible();
  expect(what.getByRole('button', { name: 'Choose files Add photos' })).toHaveAccessibleDescription(
    'JPEG, PNG or WebP, up to 12 MB each, 20 files at most',
  );
});

it('opens a photo large, and walks through the others', async () => {
  having('a', 'b');
  const { user, what } = await record();
  const second = await what.findByRole('button', { name: 'Open large: Photo 2' });
  await user.click(second);
  const viewer = within(await screen.findByRole('dialog', { name: 'Photo 2 of 2' }));
  expect(viewer.getByRole('img', { name: 'Photo 2' })).toHaveAttribute('src', expect.stringMatching(/^blob:/));
  await user.click(viewer.getByRole('button', { name: 'Next photo' }));
  const other = within(await screen.findByRole('dialog', { name: 'Photo 1 of 2' }));
  // nothing there erases, and nothing that closes sounds like it
  expect(other.queryByRole('button', { name: /delete/i })).toBeNull();
  await user.click(other.getByRole('button', { name: 'Close the photo' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(second).toHaveFocus());
});

it('adds several at once', async () => {
  having('a');
  const { what } = await record();
  choose(what, file('one.jpg', 'image/jpeg'), file('two.png', 'image/png'));
  expect(await what.findByRole('button', { name: 'Open large: Photo 3' })).toBeVisible();
  await waitFor(() => expect(what.queryByText('one.jpg')).toBeNull());
  expect(first().photos).toEqual(['/api/photos/a', '/api/photos/new-1', '/api/photos/new-2']);
});

it('refuses in words what is too large, of another kind or too much', async () => {
  having(...Array.from({ length: 18 }, (_, index) => `p${index}`));
  const { what } = await record();
  choose(
    what,
    file('big.jpg', 'image/jpeg', 13_000_000),
    file('iphone.heic', 'image/heic'),
    file('drawing.svg', 'image/svg+xml'),
    ...['1', '2', '3'].map((name) => file(`${name}.jpg`, 'image/jpeg')),
  );
  const refused = what.getByRole('list', { name: 'Files that were not added' });
  expect(refused).toHaveTextContent('big.jpg is too large: 13 MB, and 12 MB is the most.');
  expect(refused).toHaveTextContent('iphone.heic is of another kind. Choose: JPEG, PNG or WebP.');
  expect(refused).toHaveTextContent('drawing.svg is of another kind.');
  expect(refused).toHaveTextContent('3.jpg was not added: 2 files at most.');
  expect(await what.findByText('A booking holds at most 20 photos. Delete one to add another.')).toBeVisible();
  await waitFor(() => expect(first().photos).toHaveLength(20));
});

it('says what the server refuses, and sends the same again where that helps', async () => {
  const keys: (string | null)[] = [];
  server.use(
    http.post('*/api/bookings/:id/photos', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      if (keys.length === 1) return problem(422, 'photo_format', 'This file is not a JPEG, PNG or WebP picture.');
      if (keys.length === 2) return HttpResponse.error();
      return undefined;
    }),
  );
  const { user, what } = await record();
  choose(what, file('program.jpg', 'image/jpeg'), file('lost.jpg', 'image/jpeg'));
  expect(await what.findByText('This file is not a JPEG, PNG or WebP picture.')).toBeVisible();
  await user.click(await what.findByRole('button', { name: 'Try again: lost.jpg' }));
  expect(await what.findByRole('button', { name: 'Open large: Photo 1' })).toBeVisible();
  expect(keys[2]).toBe(keys[1]);
  await user.click(what.getByRole('button', { name: 'Remove program.jpg' }));
  expect(what.queryByText('program.jpg')).toBeNull();
});

it('deletes one only after it has asked, and keeps it with the other button', async () => {
  having('a', 'b');
  const { user, what } = await record();
  const press = async () => {
    await user.click(what.getByRole('button', { name: 'Delete: Photo 1' }));
    return within(await screen.findByRole('dialog', { name: 'Delete “Photo 1”?' }));
  };
  await user.click((await press()).getByRole('button', { name: 'Keep the photo' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(first().photos).toHaveLength(2);
  await user.click((await press()).getByRole('button', { name: 'Delete photo' }));
  await waitFor(() => expect(first().photos).toEqual(['/api/photos/b']));
  await waitFor(() => expect(what.queryByRole('button', { name: 'Delete: Photo 2' })).toBeNull());
});

it('says why a photo stays', async () => {
  having('a');
  server.use(http.delete('*/api/photos/:id', () => problem(409, 'photo_closed', 'It is kept.')));
  const { user, what } = await record();
  await user.click(what.getByRole('button', { name: 'Delete: Photo 1' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Delete photo' }));
  expect(await dialog.findByText('It is kept.')).toBeVisible();
});

it('says that a photo cannot be fetched, and fetches it again', async () => {
  having('a');
  let down = true;
  server.use(http.get('*/api/photos/:id', () => (down ? problem(404, 'not_found', 'Not found') : undefined)));
  const { user, what } = await record();
  const again = await what.findByRole('button', { name: 'Try again: Photo 1' });
  expect(what.getByText('Photo 1 could not be fetched')).toBeVisible();
  down = false;
  await user.click(again);
  expect(await what.findByRole('button', { name: 'Open large: Photo 1' })).toBeVisible();
});

it('shows what a colleague adds and deletes, without a reload', async () => {
  having('a');
  let tell: (text: string) => void = () => undefined;
  server.use(
    http.get('*/api/events', () => {
      const stream = new ReadableStream<Uint8Array>({
        start: (line) => {
          tell = (text) => line.enqueue(new TextEncoder().encode(text));
        },
      });
      return new HttpResponse(stream, { headers: { 'Content-Type': 'text/event-stream' } });
    }),
  );
  open(`/bookings/${first().id}`);
  const what = within(await screen.findByRole('region', { name: 'What' }));
  await what.findByRole('button', { name: 'Open large: Photo 1' });
  having('a', 'b');
  tell('event: change\ndata: {"kind":"photo","id":"b"}\n\n');
  expect(await what.findByRole('button', { name: 'Open large: Photo 2' })).toBeVisible();
});
