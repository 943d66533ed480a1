import createClient, { type Middleware } from 'openapi-fetch';

import type { paths } from './paths.ts';
import { asProblem, toProblem } from './problem.ts';
import { noteServerTime } from './server-clock.ts';

/** What the client needs from the app: whose token, which language, and what to do when the session is over. */
export interface ClientHooks {
  accessToken(): Promise<string | null>;
  /** One refresh after a 401; answers the new token, or null when the session is over. */
  renew(): Promise<string | null>;
  sessionEnded(): void;
  language(): string;
}

let hooks: ClientHooks = {
  accessToken: () => Promise.resolve(null),
  renew: () => Promise.resolve(null),
  sessionEnded: () => {},
  language: () => 'en',
};

export function configureClient(next: ClientHooks): void {
  hooks = next;
}

/** Calls that work without a token and must not wait for one: the estimate has to answer while sign-in is in progress. */
const openPaths = [
  '/booking',
  '/discount',
  '/rates/active',
  '/availability',
  '/holds',
  '/geo',
  '/tax',
  '/config',
  '/furniture',
  // whoever holds the link may be anybody
  '/pay',
];

/** Whole parts of a path: `/discount` is everybody's, `/discounts` is staff's. */
function isOpen(schemaPath: string): boolean {
  return openPaths.some((open) => schemaPath === open || schemaPath.startsWith(`${open}/`));
}

/** The request in the person's language and name. */
export async function authorised(request: Request): Promise<Request> {
  request.headers.set('Accept-Language', hooks.language());
  const token = await hooks.accessToken();
  if (token) request.headers.set('Authorization', `Bearer ${token}`);
  return request;
}

const context: Middleware = {
  async onRequest({ request, schemaPath }) {
    if (!isOpen(schemaPath)) return authorised(request);
    request.headers.set('Accept-Language', hooks.language());
    return request;
  },
};

/** A token after one that was refused; without any the session is over, which everybody is told. */
export async function renewedToken(): Promise<string | null> {
  const token = await hooks.renew();
  if (!token) hooks.sessionEnded();
  return token;
}

/** A 401 is answered once by a fresh token; a second one ends the session. The body is kept by cloning before sending. */
export async function fetchWithRenewal(request: Request): Promise<Response> {
  const again = request.headers.has('Authorization') ? request.clone() : null;
  const response = await fetch(request);
  noteServerTime(response);
  if (response.status !== 401 || !again) return response;
  const token = await hooks.renew();
  if (token) {
    again.headers.set('Authorization', `Bearer ${token}`);
    const second = await fetch(again);
    if (second.status !== 401) return second;
  }
  hooks.sessionEnded();
  return response;
}

function baseUrl(): string {
  return typeof location === 'undefined' ? '/api' : `${location.origin}/api`;
}

/** Typed access to every call; use `unwrap` to get the value or an `ApiProblem`. */
export const api = createClient<paths>({ baseUrl: baseUrl(), fetch: fetchWithRenewal });
api.use(context);

/** Turns openapi-fetch's answer into the value, or throws one `ApiProblem` whatever went wrong. */
export async function unwrap<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  let answer;
  try {
    answer = await call;
  } catch (error) {
    // an aborted request is not a failure anyone should read about
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw asProblem(error);
  }
  if (!answer.response.ok) throw toProblem(answer.response, answer.error);
  return answer.data as T;
}

/** A key for one intent of the person: make it when the intent starts, send it with every retry of that intent. */
export function newIdempotencyKey(): string {
  return crypto.randomUUID();
}
