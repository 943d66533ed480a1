import { KitProvider } from '@portage/kit';
import { QueryClientProvider } from '@tanstack/react-query';
import { type AnyRouter, RouterProvider } from '@tanstack/react-router';

import { queryClient } from './query-client.ts';

/** An app with everything its pages find above them: cached answers, theme, routes. `test` switches off animations. */
export function App({ router, test = false }: { router: AnyRouter; test?: boolean }) {
  return (
    <QueryClientProvider client={queryClient}>
      <KitProvider test={test}>
        <RouterProvider router={router} />
      </KitProvider>
    </QueryClientProvider>
  );
}
