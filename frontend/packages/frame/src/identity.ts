import { toProblem } from '@portage/api';

/**
 * Tells the API what an external identity provider vouches for; answers the e-mail address it knows now. A plain call: the
 * API client would wait for the session that is being made here.
 */
export async function handOverIdentity(
  proof: { idToken: string; accessToken?: string },
  bearer: string,
): Promise<string | null> {
  const response = await fetch('/api/profiles/identity', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', Authorization: `Bearer ${bearer}` },
    body: JSON.stringify(proof),
  });
  const body: unknown = await response.json().catch(() => ({}));
  if (!response.ok) throw toProblem(response, body);
  return (body as { email?: string | null }).email ?? null;
}
