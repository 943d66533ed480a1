import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { api, configureClient, newIdempotencyKey, unwrap } from './client.ts';
import { ApiProblem } from './problem.ts';

const server = setupServer();
const hooks = {
  accessToken: vi.fn(() => Promise.resolve<string | null>('old')),
  renew: vi.fn(() => Promise.resolve<string | null>('new')),
  sessionEnded: vi.fn(),
  language: () => 'fr',
};

beforeAll(() => {
  server.listen({ onUnhandledRequest: 'error' });
  configureClient(hooks);
});
beforeEach(() => vi.clearAllMocks());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const failure = (call: Promise<unknown>) => call.then(() => null).catch((error: unknown) => error as ApiProblem);

describe('problems', () => {
  it('keeps code, wording, request id and fields of a refusal', async () => {
    server.use(
      http.post('*/api/discount', () =>
        HttpResponse.json(
          {
            title: 'Refused',
            status: 422,
            code: 'validation_failed',
            detail: 'Incorrect',
            errors: [{ field: 'bookingDate', code: 'invalid', message: 'Date invalide' }],
          },
          { status: 422, headers: { 'X-Request-Id': 'r-1', 'Content-Type': 'application/problem+json' } },
        ),
      ),
    );
    const problem = await failure(unwrap(api.POST('/discount', { body: { discountCode: 'A', bookingDate: 'x' } })));
    expect(problem).toBeInstanceOf(ApiProblem);
    expect(problem).toMatchObject({
      status: 422,
      code: 'validation_failed',
      detail: 'Incorrect',
      requestId: 'r-1',
      fieldErrors: [{ field: 'bookingDate', code: 'invalid', message: 'Date invalide' }],
      transient: false,
    });
  });

  it('never passes on what a failing server says', async () => {
    server.use(
      http.get('*/api/config', () => HttpResponse.json({ detail: 'panicked at src/main.rs' }, { status: 500 })),
    );
    expect(await failure(unwrap(api.GET('/config', {})))).toMatchObject({ status: 500, detail: '', transient: true });
  });

  it('survives an answer that is not JSON, and no answer at all', async () => {
    server.use(http.get('*/api/config', () => new HttpResponse('<html>', { status: 502 })));
    expect(await failure(unwrap(api.GET('/config', {})))).toMatchObject({ status: 502, code: 'http_502' });
    server.use(http.get('*/api/config', () => HttpResponse.error()));
    expect(await failure(unwrap(api.GET('/config', {})))).toMatchObject({ status: 0, code: 'network' });
  });

  it('reads Retry-After', async () => {
    server.use(
      http.get('*/api/config', () =>
        HttpResponse.json({ code: 'rate_limited' }, { status: 429, headers: { 'Retry-After': '7' } }),
      ),
    );
    expect(await failure(unwrap(api.GET('/config', {})))).toMatchObject({
      status: 429,
      retryAfter: 7,
      transient: true,
    });
  });
});

describe('requests', () => {
  it('carry the language, and a token only where one is wanted', async () => {
    const seen: Record<string, string | null>[] = [];
    server.use(
      http.get('*/api/:path*', ({ request }) => {
        seen.push({ language: request.headers.get('Accept-Language'), token: request.headers.get('Authorization') });
        return HttpResponse.json({});
      }),
    );
    await unwrap(api.GET('/config', {}));
    await unwrap(api.GET('/profiles/', {}));
    // not `/discount`, which everybody may ask
    await unwrap(api.GET('/discounts', { params: { query: {} } }));
    await unwrap(api.GET('/geo/settings', {}));
    expect(seen).toEqual([
      { language: 'fr', token: null },
      { language: 'fr', token: 'Bearer old' },
      { language: 'fr', token: 'Bearer old' },
      { language: 'fr', token: null },
    ]);
  });

  it('repeat a refused call once with a fresh token, body and key included', async () => {
    const tries: { token: string | null; key: string | null; body: unknown }[] = [];
    server.use(
      http.post('*/api/bookings', async ({ request }) => {
        const token = request.headers.get('Authorization');
        tries.push({ token, key: request.headers.get('Idempotency-Key'), body: await request.json() });
        return token === 'Bearer new'
          ? HttpResponse.json({ id: 'b-1' }, { status: 201 })
          : new HttpResponse(null, { status: 401 });
      }),
    );
    const booking = await unwrap(
      api.POST('/bookings', {
        params: { header: { 'Idempotency-Key': 'k' } },
        body: { bookingRequest: { comments: 'x' } },
      }),
    );
    expect(booking).toEqual({ id: 'b-1' });
    expect(tries).toEqual([
      { token: 'Bearer old', key: 'k', body: { bookingRequest: { comments: 'x' } } },
      { token: 'Bearer new', key: 'k', body: { bookingRequest: { comments: 'x' } } },
    ]);
    expect(hooks.sessionEnded).not.toHaveBeenCalled();
  });

  it('end the session when the fresh token is refused too', async () => {
    server.use(http.get('*/api/profiles/', () => HttpResponse.json({ code: 'unauthenticated' }, { status: 401 })));
    expect(await failure(unwrap(api.GET('/profiles/', {})))).toMatchObject({ status: 401 });
    expect(hooks.renew).toHaveBeenCalledTimes(1);
    expect(hooks.sessionEnded).toHaveBeenCalledTimes(1);
  });
});

it('makes a new key for each intent', () => expect(newIdempotencyKey()).not.toBe(newIdempotencyKey()));
