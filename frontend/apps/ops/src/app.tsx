import { queryClient } from '@portage/frame';
import { KitProvider } from '@portage/kit';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';

import type { AppRouter } from './router.tsx';

export function App({ router, test = false }: { router: AppRouter; test?: boolean }) {
  return (
    <QueryClientProvider client={queryClient}>
      <KitProvider test={test}>
        <RouterProvider router={router} />
      </KitProvider>
    </QueryClientProvider>
  );
}
