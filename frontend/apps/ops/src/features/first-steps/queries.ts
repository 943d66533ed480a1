import { api, unwrap } from '@portage/api';
import { queryOptions } from '@tanstack/react-query';

/** Pages whose changes may finish a step tell it under this key. */
export const firstStepsKey = ['desk', 'first-steps'] as const;

export const firstStepsQuery = queryOptions({
  queryKey: firstStepsKey,
  queryFn: ({ signal }) => unwrap(api.GET('/first-steps', { signal })),
  meta: { personal: true },
});

/** Somebody has looked at the prices and says that they are right; said twice it changes nothing. */
export async function confirmPrices(): Promise<void> {
  await unwrap(api.POST('/first-steps/prices', {}));
}
