import { api, type MessageChannel, type MessageStanding, unwrap } from '@portage/api';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';

export const outboxKey = ['desk', 'outbox'] as const;
const meta = { personal: true };

/** Which messages. */
export interface Wanted {
  page: number;
  perPage: number;
  standing: MessageStanding | null;
  channel: MessageChannel | null;
  value: string;
  /** Only texts of this report. */
  report: string | null;
}

export function listQuery({ page, perPage, standing, channel, value, report }: Wanted) {
  return queryOptions({
    queryKey: [...outboxKey, 'list', page, perPage, standing, channel, value, report],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/messages', {
          params: {
            query: {
              page,
              per_page: perPage,
              ...(standing ? { standing } : {}),
              ...(channel ? { channel } : {}),
              ...(value ? { value } : {}),
              ...(report ? { report } : {}),
            },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    meta,
  });
}

export function messageQuery(id: string) {
  return queryOptions({
    queryKey: [...outboxKey, 'one', id],
    queryFn: ({ signal }) => unwrap(api.GET('/messages/{id}', { params: { path: { id } }, signal })),
    meta,
  });
}
export function retryMessage(id: string) {
  return unwrap(api.POST('/messages/{id}/retry', { params: { path: { id } } }));
}
export function repeatMessage(id: string, to: string | null) {
  return unwrap(api.POST('/messages/{id}/again', { params: { path: { id } }, body: { to } }));
}
