import { expect, type Page, test } from '@playwright/test';

import { newPerson } from '../support/account.ts';
import { type Language, text } from '../support/texts.ts';
import { appArrived } from '../support/wizard.ts';

/** The keyboard alone. After every act the focus is on something that is there and can be seen; nobody is thrown back to the page's begin. */
function keyboard(page: Page) {
  const where = () =>
    page.evaluate(() => {
      const element = document.activeElement;
      if (!(element instanceof HTMLElement) || element === document.body) return null;
      const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null;
      const name = element.getAttribute('aria-label') ?? label ?? element.textContent ?? '';
      return `${element.checkVisibility() ? '' : 'unseen '}${name.trim().replaceAll(/\s+/g, ' ').slice(0, 60)}`;
    });
  // no-break spaces are spaces here
  const plain = (name: string) => name.trim().replaceAll(/\s+/g, ' ').slice(0, 40);
  const kept = async (act: string) => {
    await expect.poll(where, { message: `after ${act} the focus is lost` }).toMatch(/^(?!unseen )./);
  };
  const tabTo = async (name: string) => {
    for (let tabs = 0; tabs < 90; tabs += 1) {
      await page.keyboard.press('Tab');
      if ((await where())?.startsWith(plain(name))) return;
    }
    throw new Error(`not reached by Tab: ${name}`);
  };
  return {
    tabTo,
    kept,
    type: async (name: string, typed: string) => {
      if (!(await where())?.startsWith(plain(name))) await tabTo(name);
      await page.keyboard.type(typed);
    },
    press: async (name: string, key = 'Enter') => {
      await tabTo(name);
      await page.keyboard.press(key);
      await kept(`${key} on ${name}`);
    },
  };
}

for (const language of ['en', 'fr'] satisfies Language[]) {
  test(
    `from the start to the paid booking the focus is never lost, ${language}`,
    { tag: '@desktop' },
    async ({ page }) => {
      const say = (name: string, values = {}) => text(language, name, values);
      const { kept, press, tabTo, type } = keyboard(page);
      const heading = (name: string) => page.getByRole('heading', { level: 1, name: say(name), exact: true });
      // a new page is told from its title on
      const arrived = (name: string) => expect(heading(name)).toBeFocused();
      const fresh = () => expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');

      await page.goto(`/?lang=${language}`);
      await expect(heading('start:title')).toBeVisible();
      await appArrived(page);
      await type(say('wizard:way.pickup'), '1200 rue Peel, Montréal');
      await expect(page.getByRole('option').first()).toBeVisible();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('combobox', { name: say('wizard:way.dropoff') })).toBeFocused();
      await page.keyboard.type('300 boulevard Saint-Martin Ouest, Laval');
      await expect(page.getByRole('option').first()).toBeVisible();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('link', { name: say('start:next'), exact: true })).toBeFocused();
      await page.keyboard.press('Enter');

      await arrived('locations:title');
      const change = say('wizard:changeWhat', { what: say('locations:access.title') });
      await press(change);
      await expect(page.getByLabel(say('locations:category.label'))).toBeVisible();
      await page.keyboard.press('Enter');
      await kept('folding the access away');
      // another address: into its field, and out of it onto what stands in its place
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('combobox', { name: say('wizard:way.pickup') })).toBeFocused();
      await page.keyboard.type('1000 rue Sherbrooke Ouest, Montréal');
      await expect(page.getByRole('option').first()).toBeVisible();
      await page.keyboard.press('Enter');
      await expect(
        page.getByRole('button', { name: say('wizard:changeWhat', { what: say('wizard:way.pickup') }) }),
      ).toBeFocused();
      await press(say('locations:next'));

      await arrived('move:title');
      const preset = page
        .getByRole('group', { name: say('furniture:presets.title') })
        .getByRole('button')
        .first();
      await press(((await preset.textContent()) ?? '').trim());
      await fresh();
      await kept('choosing a preset');
      await press(say('move:next'));

      await arrived('schedule:title');
      await press(say('common:month.next'));
      await expect(page.locator('td button[data-state="open"]').first()).toBeVisible();
      await page.keyboard.press('Tab');
      for (let days = 0; days < 20; days += 1) {
        if ((await page.evaluate(() => document.activeElement?.getAttribute('data-state'))) === 'open') break;
        await page.keyboard.press('ArrowRight');
      }
      await page.keyboard.press('Enter');
      await expect(page.locator('#slots-title')).toBeFocused();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      await expect(page.locator('input[name="slot"]:checked')).toBeFocused();
      await fresh();
      await kept('a start was kept');
      await press(say('schedule:next'));

      await arrived('quote:title');
      await fresh();
      await press(say('quote:next'));

      await arrived('guidelines:title');
      await press(say('guidelines:agree.label'), 'Space');
      await press(say('guidelines:next'));

      await expect(heading('shell:loginNeeded')).toBeVisible();
      await tabTo(say('shell:createAccount'));
      await page.keyboard.press('Enter');
      // the provider's page is loaded whole, and goes on with this visit
      await arrived('identity:signUp.title');
      const person = newPerson();
      for (const [name, typed] of [
        ['person:firstName', person.firstName],
        ['person:lastName', person.lastName],
        ['person:email', person.email],
        ['identity:password.label', person.password],
      ] as const)
        await type(say(name), typed);
      await press(say('identity:terms.label'), 'Space');
      await tabTo(say('identity:signUp.action'));
      await page.keyboard.press('Enter');

      await arrived('payment:title');
      await expect(page.getByTestId('pay')).toBeEnabled();
      for (const [name, typed] of [
        ['payments:card.number', '4111111111111111'],
        ['payments:card.expiry', '1230'],
        ['payments:card.cvc', '123'],
        ['payments:card.name', 'Ana Roy'],
      ] as const)
        await type(say(name), typed);
      await tabTo(((await page.getByTestId('pay').textContent()) ?? '').trim());
      // every frame from the press to the confirmation: where the focus is, and what the page is called
      await page.evaluate(() => {
        const seen = new Set<string>();
        Object.assign(window, { seenWhilePaying: seen });
        const look = () => {
          const { activeElement: one } = document;
          seen.add(
            `${one?.getAttribute('data-testid') ?? one?.tagName} / ${document.querySelector('h1')?.textContent}`,
          );
          requestAnimationFrame(look);
        };
        look();
      });
      // slow enough to be seen
      await page.route('**/api/bookings', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 700));
        await route.continue();
      });
      await page.keyboard.press('Enter');
      await expect(page.getByTestId('pay')).toHaveAttribute('aria-disabled', 'true');
      await expect(page.getByTestId('pay')).toBeFocused();
      await arrived('confirmation:title');
      const seen = new Set(
        await page.evaluate(() => [...(window as unknown as { seenWhilePaying: Set<string> }).seenWhilePaying]),
      );
      // between the two pages there may be a frame with neither
      seen.delete('BODY / undefined');
      expect(seen).toEqual(new Set([`pay / ${say('payment:title')}`, `H1 / ${say('confirmation:title')}`]));
    },
  );
}
