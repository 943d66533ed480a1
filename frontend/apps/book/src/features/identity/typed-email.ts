import { useLocation } from '@tanstack/react-router';

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
