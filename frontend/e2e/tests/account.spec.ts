import { expect, type Page, test } from '@playwright/test';

import { fillSignUp, mailsTo, newPerson, signIn } from '../support/account.ts';
import { openMenu } from '../support/menu.ts';
import { checkPage } from '../support/page-checks.ts';
import { retrying } from '../support/retrying.ts';
import { type Language, text } from '../support/texts.ts';

async function title(page: Page, language: Language, name: string, values = {}): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: text(language, name, values), exact: true })).toBeVisible();
}

async function signUp(page: Page, language: Language): Promise<ReturnType<typeof newPerson>> {
  const person = newPerson();
  await page.goto(`/signup?lang=${language}`);
  await title(page, language, 'identity:signUp.title');
  await fillSignUp(page, language, person);
  await page.getByRole('button', { name: text(language, 'identity:signUp.action') }).click();
  // in Chinese one is greeted by the whole name
  const name = language === 'zh' ? `${person.firstName} ${person.lastName}` : person.firstName;
  await title(page, language, 'profile:hello', { name });
  return person;
}

for (const language of ['en', 'fr', 'zh'] satisfies Language[]) {
  test(`one’s own pages in ${language}`, async ({ page }) => {
    await signUp(page, language);
    await checkPage(page, language);

    await page.goto('/profile/bookings');
    await expect(page.getByText(text(language, 'bookings:booking.none'))).toBeVisible();
    await checkPage(page, language);

    await page.goto('/user-info');
    await page.getByLabel(text(language, 'address:manual.city')).fill('  Montréal  ');
    await page.getByRole('button', { name: text(language, 'action.save') }).click();
    await expect(
      page
        .getByRole('status')
        .filter({ hasText: text(language, 'person:saved') })
        .first(),
    ).toBeVisible();
    await expect(page.getByLabel(text(language, 'address:manual.city'))).toHaveValue('Montréal');
    await checkPage(page, language);

    await page.goto('/profile/settings');
    await page.getByRole('button', { name: text(language, 'profile:card.add') }).click();
    await page.getByLabel(text(language, 'payments:card.number'), { exact: true }).fill('5555555555554444');
    await page.getByLabel(text(language, 'payments:card.expiry'), { exact: true }).fill('12/30');
    await page.getByLabel(text(language, 'payments:card.cvc'), { exact: true }).fill('123');
    await page.getByLabel(text(language, 'payments:card.name'), { exact: true }).fill('Ana Roy');
    await page.getByRole('button', { name: text(language, 'profile:card.save') }).click();
    await expect(page.getByText(text(language, 'profile:card.saved'))).toBeVisible();
    await expect(page.getByText('4444')).toBeVisible();
    await checkPage(page, language);
  });
}

test('the pages that stand alone, at 320 pixels in French', { tag: '@phone' }, async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const pages: [string, string][] = [
    ['/signin', 'identity:signIn.title'],
    ['/signup', 'identity:signUp.title'],
    ['/forgotpassword', 'identity:forgot.title'],
    ['/resetpassword?token=x', 'identity:reset.title'],
    ['/404', 'page.notFound'],
    ['/no/such/page', 'page.notFound'],
    ['/500', 'page.serverError'],
    ['/profile', 'shell:loginNeeded'],
    ['/thank-you', 'confirmation:thanks.title'],
  ];
  for (const [path, name] of pages) {
    await page.goto(`${path}${path.includes('?') ? '&' : '?'}lang=fr`);
    await title(page, 'fr', name);
    await checkPage(page);
  }
  const { firstName } = await signUp(page, 'fr');
  for (const [path, name] of [
    ['/profile', 'profile:hello'],
    ['/profile/bookings', 'shell:page.bookings'],
    ['/profile/settings', 'shell:page.settings'],
    ['/user-info', 'shell:page.userInfo'],
  ] as const) {
    await page.goto(path);
    // not what stands there while the session or the data are asked for
    await title(page, 'fr', name, { name: firstName });
    await expect(page.locator('[data-loading-state]')).toHaveCount(0);
    await checkPage(page);
  }
});

test('a forgotten password: link by mail, new password, signed in', { tag: '@desktop' }, async ({ page }) => {
  const person = await signUp(page, 'en');
  // on a phone it is in the header's menu
  await openMenu(page, 'en');
  await page.getByRole('button', { name: text('en', 'action.signOut') }).click();
  await title(page, 'en', 'start:title');
  await page.goto('/profile');
  await title(page, 'en', 'shell:loginNeeded');
  await page
    .getByRole('main')
    .getByRole('button', { name: text('en', 'action.signIn') })
    .click();
  await page.getByRole('link', { name: text('en', 'identity:forgot.link') }).click();
  // the page before has such a field too
  await title(page, 'en', 'identity:forgot.title');
  await page.getByLabel(text('en', 'person:email')).fill(person.email);
  await page.getByRole('button', { name: text('en', 'identity:forgot.action') }).click();
  await expect(page.getByText(text('en', 'identity:forgot.sentTitle'))).toBeVisible();
  let link = '';
  await expect(async () => {
    for (const mail of await mailsTo(page, person.email)) {
      const body = await (await page.request.get(`/simulators/mailbox/messages/${mail.id}`, retrying)).text();
      link = /\/resetpassword\?token=[\w-]+/.exec(body)?.[0] ?? link;
    }
    expect(link).not.toBe('');
  }).toPass({ timeout: 30_000 });
  await page.goto(link);
  await page.getByLabel(text('en', 'identity:password.new')).fill('another quiet river');
  await page.getByRole('button', { name: text('en', 'identity:password.save') }).click();
  await expect(page.getByText(text('en', 'identity:password.done'))).toBeVisible();
  await page
    .getByRole('main')
    .getByRole('button', { name: text('en', 'action.signIn') })
    .click();
  await title(page, 'en', 'identity:signIn.title');
  await signIn(page, 'en', { email: person.email, password: 'another quiet river' });
  await title(page, 'en', 'profile:hello', { name: person.firstName });
});

test('signing up by keyboard alone', { tag: '@desktop' }, async ({ page }) => {
  const person = newPerson();
  await page.goto('/signup?lang=en');
  await title(page, 'en', 'identity:signUp.title');
  const typeInto = async (name: string, value: string) => {
    const field = page.getByLabel(text('en', name), { exact: true });
    for (
      let tabs = 0;
      tabs < 40 && !(await field.evaluate((element) => element === document.activeElement));
      tabs += 1
    ) {
      await page.keyboard.press('Tab');
    }
    await expect(field).toBeFocused();
    await page.keyboard.type(value);
  };
  await typeInto('person:firstName', person.firstName);
  await typeInto('person:lastName', person.lastName);
  await typeInto('person:email', person.email);
  await typeInto('identity:password.label', person.password);
  await typeInto('identity:terms.label', ' ');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: text('en', 'identity:signUp.action') })).toBeFocused();
  await page.keyboard.press('Enter');
  await title(page, 'en', 'profile:hello', { name: person.firstName });
});
