import { randomUUID } from 'node:crypto';

import { expect, type Page } from '@playwright/test';

import { checkPage } from './page-checks.ts';
import { retrying } from './retrying.ts';
import { type Language, text } from './texts.ts';
import type { Walk } from './wizard.ts';

export interface Person {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
}

/** Somebody new for every test, so that tests can run side by side. */
export function newPerson(): Person {
  return {
    email: `e2e-${randomUUID()}@example.test`,
    password: 'a quiet river in spring',
    firstName: 'Ana',
    lastName: 'Roy',
  };
}

/** From the question of a protected page through signing up, and back to that page. */
export async function signUpFrom(walk: Walk, person: Person): Promise<void> {
  const { page, language, check } = walk;
  const main = page.getByRole('main');
  await expect(
    page.getByRole('heading', { level: 1, name: text(language, 'shell:loginNeeded'), exact: true }),
  ).toBeVisible();
  if (check) await checkPage(page, language);
  await main.getByRole('button', { name: text(language, 'action.signIn') }).click();
  await expect(
    page.getByRole('heading', { level: 1, name: text(language, 'identity:signIn.title'), exact: true }),
  ).toBeVisible();
  if (check) await checkPage(page, language);
  await main.getByRole('link', { name: text(language, 'identity:signUp.action') }).click();
  await expect(
    page.getByRole('heading', { level: 1, name: text(language, 'identity:signUp.title'), exact: true }),
  ).toBeVisible();
  await fillSignUp(page, language, person);
  if (check) await checkPage(page, language);
  await main.getByRole('button', { name: text(language, 'identity:signUp.action') }).click();
}

export async function fillSignUp(page: Page, language: Language, person: Person): Promise<void> {
  const field = (name: string) => page.getByLabel(text(language, name), { exact: true });
  await field('person:firstName').fill(person.firstName);
  await field('person:lastName').fill(person.lastName);
  await field('person:email').fill(person.email);
  await field('identity:password.label').fill(person.password);
  await field('identity:terms.label').check();
}

export async function signIn(
  page: Page,
  language: Language,
  person: Pick<Person, 'email' | 'password'>,
): Promise<void> {
  await page.getByLabel(text(language, 'person:email'), { exact: true }).fill(person.email);
  await page.getByLabel(text(language, 'identity:password.label'), { exact: true }).fill(person.password);
  await page
    .getByRole('main')
    .getByRole('button', { name: text(language, 'action.signIn') })
    .click();
}

interface Mail {
  id: string;
  to: string;
  subject: string;
}

/** Mails of the demonstration mailbox to an address, newest first; `origin` names a server of the test's own. */
export async function mailsTo(page: Page, email: string, origin = ''): Promise<Mail[]> {
  const response = await page.request.get(`${origin}/simulators/mailbox/messages`, retrying);
  expect(response.ok()).toBe(true);
  const body = (await response.json()) as { data?: Mail[]; messages?: Mail[] } | Mail[];
  const all = Array.isArray(body) ? body : (body.data ?? body.messages ?? []);
  return all.filter((mail) => JSON.stringify(mail).toLowerCase().includes(email.toLowerCase()));
}
