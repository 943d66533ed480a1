import { type AccountingContent, api, readFile, unwrap } from '@portage/api';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';

const meta = { personal: true };

export const dayQuery = (date: string) =>
  queryOptions({
    queryKey: ['desk', 'books', 'day', date],
    queryFn: ({ signal }) => unwrap(api.GET('/books/day', { params: { query: { date } }, signal })),
    placeholderData: keepPreviousData,
    meta,
  });

export const trustQuery = (page: number, perPage: number) =>
  queryOptions({
    queryKey: ['desk', 'books', 'trust', page, perPage],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/books/trust', { params: { query: { page, per_page: perPage } }, signal })),
    placeholderData: keepPreviousData,
    meta,
  });

/** Every account at the end of a day; as it is now for today. */
export const balancesQuery = (at: string | null) =>
  queryOptions({
    queryKey: ['desk', 'books', 'balances', at],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/books/balances', { params: { query: at === null ? {} : { at } }, signal })),
    placeholderData: keepPreviousData,
    meta,
  });

export const journalFile = (from: string, to: string) =>
  readFile(`/api/journal?${new URLSearchParams({ from, to }).toString()}`);

export const trustFile = () => readFile('/api/books/trust/export');

export const monthsKey = ['desk', 'books', 'months'];

export const monthsQuery = queryOptions({
  queryKey: monthsKey,
  queryFn: ({ signal }) => unwrap(api.GET('/books/months', { signal })),
  meta,
});

export const closeMonth = (month: string) => unwrap(api.POST('/books/months/close', { body: { month } }));

export const reopenMonth = (month: string, reason: string) =>
  unwrap(api.POST('/books/months/reopen', { body: { month, reason } }));

export const accountingFile = (month: string, content: AccountingContent) =>
  readFile(`/api/books/accounting?${new URLSearchParams({ month, content }).toString()}`);

/** What is owed at the end of a day; as it is now for today. */
export const agedQuery = (at: string | null, page: number, perPage: number) =>
  queryOptions({
    queryKey: ['desk', 'books', 'aged', at, page, perPage],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/books/aged', {
          params: { query: { page, per_page: perPage, ...(at === null ? {} : { at }) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    meta,
  });

export const agedFile = (at: string | null) =>
  readFile(`/api/books/aged/export${at === null ? '' : `?${new URLSearchParams({ at }).toString()}`}`);
