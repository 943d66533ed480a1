import { http, HttpResponse } from 'msw';

import { problem } from './mock-account.ts';
import type { Desk } from './mock-desk-rows.ts';

/** A white pixel. */
const picture = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII='),
  (letter) => letter.codePointAt(0) ?? 0,
);
const most = 20;

/** Photos of bookings: their URLs stand in the record. */
export function photoHandlers(desk: Desk) {
  const change = (id: string, photos: string[]) => {
    desk.bookings = desk.bookings.map((one) => (one.id === id ? { ...one, photos } : one));
  };
  let next = 1;
  return [
    http.post('*/api/bookings/:id/photos', ({ params }) => {
      const booking = desk.bookings.find(({ id }) => id === params['id']);
      if (!booking) return problem(404, 'not_found', 'Not found');
      const photos = booking.photos ?? [];
      if (photos.length >= most) return problem(409, 'photo_limit', `A booking holds at most ${most} photos.`);
      const id = `new-${next++}`;
      const url = `/api/photos/${id}`;
      change(booking.id, [...photos, url]);
      const addedAt = '2027-02-09T15:00:00Z';
      return HttpResponse.json({ id, url, width: 1, height: 1, bytes: picture.byteLength, addedAt }, { status: 201 });
    }),
    http.get('*/api/photos/:id', () =>
      HttpResponse.arrayBuffer(picture.slice().buffer, { headers: { 'Content-Type': 'image/jpeg' } }),
    ),
    http.delete('*/api/photos/:id', ({ params }) => {
      const url = `/api/photos/${String(params['id'])}`;
      const booking = desk.bookings.find(({ photos }) => photos?.includes(url));
      if (!booking) return problem(404, 'not_found', 'Not found');
      change(
        booking.id,
        (booking.photos ?? []).filter((one) => one !== url),
      );
      return new HttpResponse(null, { status: 204 });
    }),
  ];
}
