import { api, unwrap } from '@portage/api';
import type { Language } from '@portage/i18n';
import type { Day } from '@portage/kit/desk/dates';
import { queryOptions } from '@tanstack/react-query';

/** The jobs of a day, with the names of items in the language of the paper. */
export function sheetQuery(hub: string, date: Day, language: Language) {
  return queryOptions({
    queryKey: ['desk', 'dispatch', 'sheet', hub, date, language],
    queryFn: ({ signal }) => unwrap(api.GET('/dispatch/sheet', { params: { query: { hub, date, language } }, signal })),
    meta: { personal: true },
    // what is printed should be what holds now
    staleTime: 0,
  });
}
