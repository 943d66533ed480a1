const prefix = 'portage.desk.kept.';

/** What is typed on a page and not saved yet, so that a reload does not lose it: for this tab, and for who typed it. */
interface Kept {
  owner: string;
  value: unknown;
}

/** What this person has left on a page in this tab; null when nothing is there that is theirs. */
export function readKept(name: string, owner: string): unknown {
  try {
    const kept = JSON.parse(sessionStorage.getItem(prefix + name) ?? 'null') as Kept | null;
    return kept?.owner === owner ? kept.value : null;
  } catch {
    return null;
  }
}

/** Keeps it until it is saved or dropped, which `null` says. */
export function keep(name: string, owner: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(prefix + name);
    else sessionStorage.setItem(prefix + name, JSON.stringify({ owner, value } satisfies Kept));
  } catch {
    // without storage it lasts as long as the page
  }
}

/** Who signs out leaves nothing behind. */
export function forgetKept(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  } catch {
    // nothing was kept
  }
}
