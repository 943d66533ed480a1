/** Name that the providers have for it, too. */
const name = 'login_hint';

/** Tells the page at `path` who is expected to sign in there. The part after # is sent to no server. */
export const expecting = (path: string, email: string): string =>
  email === '' ? path : `${path}#${new URLSearchParams({ [name]: email }).toString()}`;

/** Who is expected, by the part after # of an address. */
export const emailIn = (hash: string): string | undefined => new URLSearchParams(hash.slice(1)).get(name) ?? undefined;
