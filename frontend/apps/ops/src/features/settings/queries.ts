import { api, ifMatch, unwrap } from '@portage/api';
import { queryOptions } from '@tanstack/react-query';

import { type Group, type GroupRecord, recordOf, requestOf, type Values, versionsOf } from './types.ts';

/** Of everything that shows settings. */
export const settingsKey = ['desk', 'settings'] as const;
const meta = { personal: true };

export async function readGroup(group: Group): Promise<GroupRecord> {
  return recordOf(await unwrap(api.GET('/settings/{id}', { params: { path: { id: group } } })));
}

export function groupQuery(group: Group) {
  return queryOptions({ queryKey: [...settingsKey, group, 'now'], queryFn: () => readGroup(group), meta });
}

export function versionsQuery(group: Group) {
  return queryOptions({
    queryKey: [...settingsKey, group, 'versions'],
    queryFn: async ({ signal }) =>
      versionsOf(await unwrap(api.GET('/settings/{id}/versions', { params: { path: { id: group } }, signal }))),
    meta,
  });
}

/** Saves these fields and no others, over the version that was read. */
export async function saveGroup(group: Group, version: number, values: Values): Promise<GroupRecord> {
  return recordOf(
    await unwrap(
      api.PUT('/settings/{id}', {
        params: { path: { id: group }, header: ifMatch(version) },
        body: requestOf(values),
      }),
    ),
  );
}
