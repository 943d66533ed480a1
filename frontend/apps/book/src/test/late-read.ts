import { act, waitFor } from '@testing-library/react';
import { http, HttpResponse, type JsonBodyType } from 'msw';
import { expect, vi } from 'vitest';

import { server } from './render-app.tsx';

/**
 * Makes the page read again, as coming back from another window does, and holds that read, which says what is true now. What
 * it answers with lets the read arrive.
 */
export async function lateRead(path: string, now: JsonBodyType): Promise<() => Promise<void>> {
  let release = () => {};
  const held = new Promise<void>((done) => (release = done));
  const asked = vi.fn();
  server.use(
    http.get(path, async () => {
      asked();
      await held;
      return HttpResponse.json(now);
    }),
  );
  window.dispatchEvent(new Event('visibilitychange'));
  await waitFor(() => expect(asked).toHaveBeenCalled());
  return () =>
    act(async () => {
      release();
      await new Promise((later) => setTimeout(later, 50));
    });
}
