import { ApiProblem, asProblem, toProblem } from '@portage/api';
import { leaveGuard } from '@portage/frame';
import { currentLanguage, i18next } from '@portage/i18n';
import { queryOptions } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';

import { session, signIn } from '../../shell/session.ts';

export type IdentityCall =
  | 'sign-in'
  | 'sign-up'
  | 'forgot-password'
  | 'reset-password'
  | 'change-password'
  | 'change-email'
  | 'resend-verification';

export interface IdentityAnswer {
  /** Path of our own site to go on to. */
  redirectTo?: string;
}

/** One POST of the embedded provider's account pages. The session itself is a cookie no script can read. */
export async function postIdentity(call: IdentityCall, body: Record<string, unknown>): Promise<IdentityAnswer> {
  let response: Response;
  try {
    response = await fetch(`/identity/api/${call}`, {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json', 'Accept-Language': currentLanguage() },
      body: JSON.stringify(body),
    });
  } catch (error) {
    throw asProblem(error);
  }
  const answer: unknown = await response.json().catch(() => ({}));
  if (!response.ok) throw toProblem(response, answer);
  return answer as IdentityAnswer;
}

/** What the provider says of the session in this browser. */
export const sessionQuery = queryOptions({
  queryKey: ['/identity/api/session'],
  queryFn: async ({ signal }): Promise<{ pendingEmail: string | null }> => {
    const response = await fetch('/identity/api/session', { credentials: 'same-origin', signal });
    const answer = (await response.json().catch(() => null)) as { pendingEmail?: string | null } | null;
    if (!response.ok) throw toProblem(response, answer);
    return { pendingEmail: answer?.pendingEmail ?? null };
  },
  meta: { personal: true },
});

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The address that was typed into the account page one comes from. In the history's entry and not in the URL, which servers log. */
    email?: string;
  }
}

/** The address with which a form of an account page begins: typed into the page before, or told by the request to sign in. */
export function useTypedEmail(): string {
  const typed = useLocation({ select: (location) => location.state.email });
  const search = useLocation({ select: (location) => location.searchStr });
  return typed ?? new URLSearchParams(search).get('login_hint') ?? '';
}

/** The `returnTo` of an account page, if it is a path of our own site. */
export function returnToOf(search: string): string | null {
  const text = new URLSearchParams(search).get('returnTo');
  if (!text || !text.startsWith('/') || text.startsWith('//') || text.includes('\\')) return null;
  return text;
}

/** A page of the dashboard, which is an app of its own: going there leaves this one. */
export const isDesk = (path: string) => /^\/dashboard(?:[/?#]|$)/.test(path);

/**
 * After the provider knows the person: back to the authorization request they came from. A sign-in page that was
 * opened by itself has none; one is then made, which the fresh session answers at once.
 */
export async function goOn(answer: IdentityAnswer, returnTo: string | null): Promise<void> {
  const target = answer.redirectTo && answer.redirectTo !== '/' ? answer.redirectTo : (returnTo ?? '/profile');
  leaveGuard.suspend();
  session.welcome();
  if (target.startsWith('/identity/') || isDesk(target)) location.assign(target);
  else await signIn(target);
}

/** The sentence for a refusal that belongs to no field. */
export function problemText(problem: ApiProblem): string {
  if (problem.status === 0) return i18next.t('common:error.network');
  if (problem.status >= 500) return i18next.t('common:page.serverError');
  return problem.detail || i18next.t('common:error.generic');
}
