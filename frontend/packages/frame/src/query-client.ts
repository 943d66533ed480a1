import { asProblem } from '@portage/api';
import { QueryClient } from '@tanstack/react-query';

/** Cache of the server's answers. A failed read is repeated only when the same request may succeed later; a refusal is final. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Offline a call fails at once and can be tried again; the library would hold it back, and nothing would say so.
      networkMode: 'always',
      // with that mode the library would not ask again either, when the connection is back
      refetchOnReconnect: true,
      staleTime: 30_000,
      retry: (failures, error) => failures < 2 && asProblem(error).transient,
      retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 4000),
    },
    mutations: { networkMode: 'always', retry: false },
  },
});
