import { session } from './session.ts';

/** The account (`sub`) that is signed in on this page; null while nobody is. */
export function accountHere(): string | null {
  return session.current().user?.sub ?? null;
}
