import { api, unwrap } from '@portage/api';
import { queryOptions } from '@tanstack/react-query';

const key = (id: string, part: string) => ['desk', 'booking', id, part] as const;
const meta = { personal: true };
const of = (id: string, signal: AbortSignal) => ({ params: { path: { id } }, signal });

export const bookingQuery = (id: string) =>
  queryOptions({
    queryKey: key(id, ''),
    queryFn: ({ signal }) => unwrap(api.GET('/bookings/{id}', of(id, signal))),
    meta,
  });
export const paymentsQuery = (id: string) =>
  queryOptions({
    queryKey: key(id, '/payments'),
    queryFn: ({ signal }) => unwrap(api.GET('/bookings/{id}/payments', of(id, signal))),
    meta,
  });
export const messagesQuery = (id: string) =>
  queryOptions({
    queryKey: key(id, '/messages'),
    queryFn: ({ signal }) => unwrap(api.GET('/bookings/{id}/messages', of(id, signal))),
    meta,
  });
export const notesQuery = (id: string) =>
  queryOptions({
    queryKey: key(id, '/notes'),
    queryFn: ({ signal }) => unwrap(api.GET('/bookings/{id}/notes', of(id, signal))),
    meta,
  });
export const historyQuery = (id: string) =>
  queryOptions({
    queryKey: key(id, '/history'),
    queryFn: ({ signal }) => unwrap(api.GET('/bookings/{id}/history', of(id, signal))),
    meta,
  });
