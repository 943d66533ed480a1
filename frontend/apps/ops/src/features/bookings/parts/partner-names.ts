import { api, unwrap } from '@portage/api';
import { queryOptions } from '@tanstack/react-query';

/** So many a call. */
const perPage = 100;
/** More pages than anybody has partners. */
const mostPages = 50;

/** Every partner by name, to choose one from; those who are no customers any more are among them, with their state. */
export const partnerNamesQuery = queryOptions({
  queryKey: ['desk', 'partners', 'names'],
  queryFn: async ({ signal }) => {
    const names: { id: string; label: string; state: string }[] = [];
    for (let page = 1; page <= mostPages; page += 1) {
      const query = { page, per_page: perPage };
      // one after the other: the next is only asked for when there is one
      // oxlint-disable-next-line no-await-in-loop
      const { data, total } = await unwrap(api.GET('/partner', { params: { query }, signal }));
      names.push(...data.map(({ id, name, partnerID, state }) => ({ id, label: name || partnerID, state })));
      if (data.length === 0 || names.length >= total) break;
    }
    return names;
  },
  staleTime: 60_000,
  meta: { personal: true },
});
