import { api, type components, unwrap } from '@portage/api';
import { useLanguage } from '@portage/i18n';
import type { FetchedOptions } from '@portage/kit/desk/filters';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';

export type Hub = components['schemas']['HubRecord'];

/** In the place of a hub: all of them. */
export const allHubs = 'all';

const isHubId = (text: string) => /^[a-z][a-z-]{1,59}$/.test(text);
const none: readonly Hub[] = [];

/** Where crews and trucks start from, as the server knows them: those where something is going on first. */
export const hubsQuery = queryOptions({
  queryKey: ['desk', 'hubs'],
  queryFn: ({ signal }) => unwrap(api.GET('/hubs', { signal })),
  select: ({ data }) => data,
  meta: { personal: true },
  staleTime: 300_000,
});

/** All hubs; none until they have come. */
export function useHubs(): readonly Hub[] {
  return useQuery(hubsQuery).data ?? none;
}

/** The name of a hub; until it is known, and where the server knows it no more, it stands by its id. */
export function useHubName(): (id: string) => string {
  const hubs = useHubs();
  const language = useLanguage();
  return useCallback((id) => hubs.find((hub) => hub.id === id)?.name[language] ?? id, [hubs, language]);
}

/** The hubs as a menu has them. `kept` is offered also where it is not known (yet): what is chosen stays what it is. */
export function useHubOptions(kept?: string): { value: string; label: string }[] {
  const hubs = useHubs();
  const language = useLanguage();
  return useMemo(() => {
    const known = hubs.map(({ id, name }) => ({ value: id, label: name[language] }));
    return kept && !hubs.some(({ id }) => id === kept) ? [{ value: kept, label: kept }, ...known] : known;
  }, [hubs, language, kept]);
}

/** The hubs as a filter has them: one that the address names counts before they have come. */
export function useHubFilter(): { options: { value: string; label: string }[]; fetched: FetchedOptions } {
  const { isError, isSuccess, refetch } = useQuery(hubsQuery);
  const options = useHubOptions();
  return useMemo(() => {
    const state = isSuccess ? 'ready' : isError ? 'failed' : 'loading';
    const onWanted = () => {
      if (state === 'failed') void refetch();
    };
    return { options, fetched: { state, fits: isHubId, onWanted } };
  }, [options, isSuccess, isError, refetch]);
}

/** The hub that an address names, else the first there is. Null while nobody knows which that is. */
export function hubIn(named: unknown, hubs: readonly Hub[]): string | null {
  if (hubs.length > 0) return (hubs.find(({ id }) => id === named) ?? hubs[0])?.id ?? null;
  return typeof named === 'string' && isHubId(named) ? named : null;
}
