import type { IncomingMessage, ServerResponse } from 'node:http';

import { mockApi } from './mock-api.ts';

/** Serves the in-memory API to the dev server, so that screens can be built without a backend. */
export function nodeMiddleware() {
  return (incoming: IncomingMessage, outgoing: ServerResponse, next: () => void): void => {
    if (!incoming.url?.startsWith('/api/')) {
      next();
      return;
    }
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      const request = new Request(`http://localhost${incoming.url}`, {
        method: incoming.method ?? 'GET',
        headers: incoming.headers as Record<string, string>,
        ...(body.length > 0 ? { body } : {}),
      });
      void mockApi(request).then(async (response) => {
        outgoing.writeHead(response.status, Object.fromEntries(response.headers));
        outgoing.end(Buffer.from(await response.arrayBuffer()));
      });
    });
  };
}
