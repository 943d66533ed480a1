import type { FirstTexts } from '@portage/i18n';
import type { QueryKey, UseQueryOptions } from '@tanstack/react-query';

import { loadTexts } from './load-texts.ts';
import { queryClient } from './query-client.ts';

/** A query of any type: only whether it can be fetched matters here. */
// oxlint-disable-next-line typescript/no-explicit-any -- its types differ from one query to the next
type AnyQuery = UseQueryOptions<any, any, any, any> & { queryKey: QueryKey };

/**
 * Makes the loaders of an app's routes. A loader fetches a page's texts and data beside its code, and ahead when the
 * pointer rests on a link to it. The texts are waited for, so that the page is drawn whole; the data are not: on a slow
 * line the page says itself that they are on their way, and what goes wrong with them (`QueryState`).
 */
export function pageLoader(accessToken: () => Promise<string | null>) {
  const fetchAhead = async (query: AnyQuery): Promise<void> => {
    // without a session there is no answer, and none of an earlier one must be asked for again
    if (query.meta?.['personal'] === true && (await accessToken()) === null) return;
    const { retry } = queryClient.getDefaultOptions().queries ?? {};
    await queryClient.prefetchQuery(retry === undefined ? query : { retry, ...query });
  };
  return <Context>(texts: FirstTexts, data: (context: Context) => AnyQuery[] = () => []) =>
    async (context: Context): Promise<void> => {
      // a page that opens for somebody asks again, and says what is wrong
      for (const query of data(context)) fetchAhead(query).catch(() => {});
      await loadTexts(...texts)();
    };
}
