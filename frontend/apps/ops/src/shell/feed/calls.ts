import { api, type components, unwrap } from '@portage/api';

export type FeedState = components['schemas']['FeedState'];
export type FeedLink = components['schemas']['FeedLink'];

/** What can be asked and done about the secret link to one calendar. */
export interface FeedCalls {
  /** Whose calendar it is. */
  of: 'own' | 'mate' | 'hub';
  key: readonly string[];
  read: (signal: AbortSignal) => Promise<FeedState>;
  make: () => Promise<FeedLink>;
  end: (id: string) => Promise<unknown>;
}

const endByStaff = (id: string) => unwrap(api.DELETE('/feeds/{id}', { params: { path: { id } } }));

/** The calendar of the mate who is signed in. */
export const ownFeed: FeedCalls = {
  of: 'own',
  key: ['desk', 'feed', 'own'],
  read: (signal) => unwrap(api.GET('/jobs/feed', { signal })),
  make: () => unwrap(api.POST('/jobs/feed')),
  end: (id) => unwrap(api.DELETE('/jobs/feed/{id}', { params: { path: { id } } })),
};

/** The calendar of a mate, for staff. */
export function feedOfMate(id: string): FeedCalls {
  const params = { path: { id } };
  return {
    of: 'mate',
    key: ['desk', 'feed', 'mate', id],
    read: (signal) => unwrap(api.GET('/mate/{id}/feed', { params, signal })),
    make: () => unwrap(api.POST('/mate/{id}/feed', { params })),
    end: endByStaff,
  };
}

/** The calendar of a hub. */
export function feedOfHub(hub: string): FeedCalls {
  const params = { path: { hub } };
  return {
    of: 'hub',
    key: ['desk', 'feed', 'hub', hub],
    read: (signal) => unwrap(api.GET('/calendar/{hub}/feed', { params, signal })),
    make: () => unwrap(api.POST('/calendar/{hub}/feed', { params })),
    end: endByStaff,
  };
}
