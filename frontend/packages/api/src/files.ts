import { authorised, fetchWithRenewal, renewedToken } from './client.ts';
import { ApiProblem, toProblem } from './problem.ts';
import { noteServerTime } from './server-clock.ts';

/** A place of our own site: the token goes to no other. */
function ours(url: string): string {
  const place = new URL(url, location.origin);
  if (place.origin !== location.origin) throw new ApiProblem({ status: 0, code: 'network' });
  return place.href;
}

/**
 * What is sent and read as bytes. A URL is one of our own site, as answers name it (`/api/photos/…`): an `<img>` sends no
 * token, so pictures of one's own are read here.
 */
export async function readFile(url: string, signal?: AbortSignal): Promise<Blob> {
  const response = await fetchWithRenewal(await authorised(new Request(ours(url), signal ? { signal } : {})));
  if (!response.ok) throw toProblem(response, await response.json().catch(() => null));
  return response.blob();
}

/** Sends a file as the whole body, of this media type; the answer of the server, or an `ApiProblem`. */
export async function sendBody(url: string, type: string, file: Blob, idempotencyKey?: string): Promise<unknown> {
  const headers = new Headers({ Accept: 'application/json', 'Content-Type': type });
  if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey);
  const request = new Request(ours(url), { method: 'POST', headers, body: file });
  const response = await fetchWithRenewal(await authorised(request));
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw toProblem(response, answer);
  return answer;
}

/** Gone already counts as deleted. */
export async function deleteFile(url: string): Promise<void> {
  const response = await fetchWithRenewal(await authorised(new Request(ours(url), { method: 'DELETE' })));
  if (!response.ok && response.status !== 404) throw toProblem(response, await response.json().catch(() => null));
}

export interface Sending {
  /** Name of the part of the form. */
  part: string;
  file: Blob;
  /** The same for every try of one intent. */
  idempotencyKey: string;
  /** Part that is sent, 0 to 1. */
  onProgress: (part: number) => void;
  signal: AbortSignal;
}

function post(url: string, headers: Headers, { part, file, onProgress, signal }: Sending): Promise<Response> {
  return new Promise((done, failed) => {
    // fetch does not tell how much of a body has been sent
    const request = new XMLHttpRequest();
    request.open('POST', url);
    for (const [name, value] of headers) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    });
    request.addEventListener('load', () => {
      const answered = new Headers();
      for (const name of ['Content-Type', 'Retry-After', 'X-Request-Id', 'Date', 'Portage-Clock']) {
        const value = request.getResponseHeader(name);
        if (value !== null) answered.set(name, value);
      }
      const response = new Response(request.responseText, { status: request.status, headers: answered });
      noteServerTime(response);
      done(response);
    });
    request.addEventListener('error', () => failed(new ApiProblem({ status: 0, code: 'network' })));
    request.addEventListener('abort', () => failed(new DOMException('stopped', 'AbortError')));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    const form = new FormData();
    form.append(part, file);
    request.send(form);
  });
}

/** Sends one file and tells how far it is; the answer of the server, or an `ApiProblem`. */
export async function sendFile(url: string, sending: Sending): Promise<unknown> {
  const { headers } = await authorised(new Request(ours(url)));
  headers.set('Accept', 'application/json');
  headers.set('Idempotency-Key', sending.idempotencyKey);
  sending.signal.throwIfAborted();
  let response = await post(ours(url), headers, sending);
  if (response.status === 401) {
    const token = await renewedToken();
    if (token !== null) {
      headers.set('Authorization', `Bearer ${token}`);
      response = await post(ours(url), headers, sending);
    }
  }
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw toProblem(response, answer);
  return answer;
}
