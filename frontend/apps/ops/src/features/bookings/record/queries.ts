import { api, asProblem, unwrap } from '@portage/api';
import type { Language } from '@portage/i18n';
import { queryOptions, skipToken } from '@tanstack/react-query';

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
/** What a text would say to the customer of a booking. */
export const textPreviewQuery = (id: string, kind: string, language: Language) =>
  queryOptions({
    queryKey: [...key(id, '/text'), kind, language],
    queryFn: ({ signal }) =>
      unwrap(
        api.POST('/templates/{messageType}/{language}/preview', {
          params: { path: { messageType: `sms-${kind}`, language } },
          body: { bookingId: id },
          signal,
        }),
      ),
    meta,
  });
/** Hours and photos of the crew. */
export const workQuery = (id: string) =>
  queryOptions({
    queryKey: key(id, '/crew/report'),
    queryFn: ({ signal }) => unwrap(api.GET('/bookings/{id}/crew/report', of(id, signal))),
    meta,
  });
export const historyQuery = (id: string) =>
  queryOptions({
    queryKey: key(id, '/history'),
    queryFn: ({ signal }) => unwrap(api.GET('/bookings/{id}/history', of(id, signal))),
    meta,
  });
/** What some minutes beyond what was agreed would cost; nothing is asked while there are none. */
export const overtimeQuery = (id: string, minutes: number | null) =>
  queryOptions({
    queryKey: [...key(id, '/overtime'), minutes],
    queryFn:
      minutes === null
        ? skipToken
        : ({ signal }) =>
            unwrap(api.GET('/bookings/{id}/overtime', { params: { path: { id }, query: { minutes } }, signal })),
    retry: false,
    meta,
  });
/** The invoice of a booking; null while there is none. */
export const invoiceQuery = (id: string) =>
  queryOptions({
    queryKey: key(id, '/invoice'),
    queryFn: async ({ signal }) => {
      try {
        return await unwrap(api.GET('/invoices/{id}', of(id, signal)));
      } catch (error) {
        if (asProblem(error).status === 404) return null;
        throw error;
      }
    },
    meta,
  });
/** The account of a booking, in the words of one language. */
export const statementQuery = (id: string, language: string) =>
  queryOptions({
    queryKey: [...key(id, '/statement'), language],
    queryFn: ({ signal }) => unwrap(api.GET('/bookings/{id}/statement', of(id, signal))),
    meta,
  });
