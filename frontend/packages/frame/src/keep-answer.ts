import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Puts what a change was answered with in the place of what was read before. A read that is still on its way was asked for
 * before the change and may say what was true then: it is given up, so that it does not come after the answer and undo it.
 */
export async function keepAnswer<T>(
  queries: QueryClient,
  { queryKey }: { queryKey: QueryKey },
  answer: T | ((before: T | undefined) => T | undefined),
): Promise<void> {
  await queries.cancelQueries({ queryKey, exact: true });
  queries.setQueryData<T>(queryKey, answer);
}
