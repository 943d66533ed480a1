import { api, type OwnProfile, type StoredCustomer, unwrap } from '@portage/api';
import { queryOptions } from '@tanstack/react-query';

import { queryClient } from './query-client.ts';

/** One's own profile with the stored card. */
export const profileQuery = queryOptions({
  queryKey: ['/profiles/'],
  queryFn: () => unwrap(api.GET('/profiles/', {})),
  meta: { personal: true },
});

/** Puts a card that was just stored into the cached profile, so that every page shows it. */
export function rememberCard(stored: StoredCustomer): void {
  queryClient.setQueryData(profileQuery.queryKey, (profile: OwnProfile | undefined) =>
    profile ? { ...profile, wallet: { customerId: stored.customerId, card: stored.card } } : profile,
  );
  void queryClient.invalidateQueries({ queryKey: profileQuery.queryKey });
}
