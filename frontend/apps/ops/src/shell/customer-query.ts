import { api, unwrap } from '@portage/api';
import { queryOptions } from '@tanstack/react-query';

/** Whose booking it is, with all their moves and what they owe. */
export const customerQuery = (booking: string) =>
  queryOptions({
    queryKey: ['desk', 'booking', booking, '/customer'] as const,
    queryFn: ({ signal }) => unwrap(api.GET('/bookings/{id}/customer', { params: { path: { id: booking } }, signal })),
    meta: { personal: true },
  });
