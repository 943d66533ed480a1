import { expect, type Page } from '@playwright/test';

import type { Person } from './account.ts';
import { retrying } from './retrying.ts';
import type { Language } from './texts.ts';

type Cookies = Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>;

/** Where the app keeps its language, and that this browser has signed in: with that it asks for the session by itself. */
const languageKey = 'portage.lang';
const sessionKey = 'portage.session';

/** Sessions that this worker has already, by server and address: checking a password takes an unoptimised server a second. */
const sessions = new Map<string, Cookies>();

/** What a browser keeps of a site, laid into its storage without the app, which is loaded with the page that a test is about. */
export async function keep(page: Page, origin: string, kept: Record<string, string>): Promise<void> {
  // a document of the site without scripts
  await page.goto(`${origin}/api/config`);
  await page.evaluate((all) => {
    for (const [key, value] of Object.entries(all)) localStorage.setItem(key, value);
  }, kept);
}

/**
 * Somebody who is there already has signed in when the next page is opened. The pages for it have tests of their own
 * (account.spec.ts and desk.spec.ts go through them).
 */
export async function signedIn(
  page: Page,
  language: Language,
  person: Pick<Person, 'email' | 'password'>,
  origin = '',
): Promise<void> {
  const known = `${origin} ${person.email}`;
  const session = sessions.get(known);
  if (session) await page.context().addCookies(session);
  else {
    const answer = await page.request.post(`${origin}/identity/api/sign-in`, { ...retrying, data: person });
    expect(answer.status(), await answer.text()).toBe(200);
    sessions.set(known, await page.context().cookies());
  }
  await keep(page, origin, { [languageKey]: language, [sessionKey]: '1' });
}

/** Somebody new has an account and is signed in: what is to be kept besides that. */
export async function signedUp(page: Page, language: Language, person: Person): Promise<Record<string, string>> {
  const answer = await page.request.post('/identity/api/sign-up', {
    ...retrying,
    headers: { 'accept-language': language },
    data: { ...person, phone: '', language, acceptTerms: true },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return { [sessionKey]: '1' };
}

/** What the app keeps of a choice of language. */
export const inLanguage = (language: Language): Record<string, string> => ({ [languageKey]: language });
