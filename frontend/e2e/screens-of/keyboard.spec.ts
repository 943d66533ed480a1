import { expect, type Page, test } from '@playwright/test';

import { newPerson } from '../support/account.ts';
import { photographer } from '../support/shoot.ts';
import { type Language, text } from '../support/texts.ts';

/** What has the focus, and whether a ring shows it, on itself or on the tile around it, inside the window. */
interface Focus {
  name: string;
  ring: boolean;
  seen: boolean;
}

/** Moves over a page by keys alone. Every stop on the way has to show itself. */
function keys(page: Page, language: Language, shoot: (name: string, part: 'window') => Promise<void>) {
  const say = (name: string, values = {}) => text(language, name, values);
  const order: string[] = [];
  const here = () =>
    page.evaluate<Focus>(() => {
      const element = document.activeElement as HTMLElement;
      const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null;
      const name = element.getAttribute('aria-label') ?? label ?? element.textContent ?? '';
      const drawn = (one: Element | null) =>
        one !== null &&
        getComputedStyle(one).outlineStyle !== 'none' &&
        parseFloat(getComputedStyle(one).outlineWidth) >= 2;
      const box = element.getBoundingClientRect();
      const middle = document.elementFromPoint(box.x + box.width / 2, box.y + Math.min(box.height / 2, 20));
      const tile = element.closest('label, li');
      return {
        name: `${element.tagName.toLowerCase()} ${name.trim().replaceAll(/\s+/g, ' ').slice(0, 50)}`,
        ring: drawn(element) || drawn(tile),
        seen:
          middle !== null && (element.contains(middle) || tile?.contains(middle) === true || middle.contains(element)),
      };
    });
  /** Tab by tab to the thing of that name; every stop on the way has to show itself. */
  const tabTo = async (name: string, key = 'Tab') => {
    for (let tabs = 0; tabs < 80; tabs += 1) {
      await page.keyboard.press(key);
      const focus = await here();
      order.push(focus.name);
      expect.soft(focus.ring, `a ring on: ${focus.name}`).toBe(true);
      expect.soft(focus.seen, `nothing over: ${focus.name}`).toBe(true);
      if (focus.name.slice(focus.name.indexOf(' ') + 1).startsWith(name.slice(0, 40))) return;
    }
    throw new Error(`not reached: ${name}; on the way: ${order.slice(-80).join(' | ')}`);
  };
  const press = async (name: string) => {
    await tabTo(name);
    await shoot(name.toLowerCase().replaceAll(/\W+/g, '-').slice(0, 30), 'window');
    await page.keyboard.press('Enter');
  };
  const title = (name: string) =>
    expect(page.getByRole('heading', { level: 1, name: say(name), exact: true })).toBeVisible();
  return { say, order, here, tabTo, press, title };
}

for (const language of ['en', 'zh'] satisfies Language[]) {
  test(`from the start to paying by keyboard alone, with a ring on every stop, ${language}`, async ({ page }, info) => {
    const shoot = photographer(page, `keyboard-${language}-${info.project.name}`);
    const person = newPerson();
    const { say, order, tabTo, press, title } = keys(page, language, shoot);

    await page.goto(`/?lang=${language}`);
    await title('start:title');
    await tabTo(say('frame:skip'));
    await shoot('skip', 'window');
    await press(say('start:next'));
    await title('locations:title');
    for (const [end, typed] of [
      ['pickup', '1200 rue Peel, Montréal'],
      ['dropoff', '300 boulevard Saint-Martin Ouest, Laval'],
    ] as const) {
      await tabTo(say(`wizard:way.${end}`));
      await page.keyboard.type(typed);
      await expect(page.getByRole('option').first()).toBeVisible();
      await shoot(`${end}-list`, 'window');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('combobox', { name: say(`wizard:way.${end}`) })).toBeHidden();
    }
    await press(say('locations:next'));
    await title('move:title');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await shoot('kind-by-arrow', 'window');
    const preset = page
      .getByRole('group', { name: say('furniture:presets.title') })
      .getByRole('button')
      .first();
    await press(((await preset.locator('span').first().textContent()) ?? '').trim());
    await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
    await press(say('move:next'));
    await title('schedule:title');
    await press(say('common:month.next'));
    await expect(page.locator('td button[data-state="open"]').first()).toBeVisible();
    await page.keyboard.press('Tab');
    for (let days = 0; days < 20; days += 1) {
      if ((await page.evaluate(() => document.activeElement?.getAttribute('data-state'))) === 'open') break;
      await page.keyboard.press('ArrowRight');
    }
    await shoot('day', 'window');
    await page.keyboard.press('Enter');
    await expect(page.locator('#slots-title')).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await expect(page.locator('input[name="slot"]:checked')).toBeAttached();
    await shoot('slot', 'window');
    await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
    await press(say('schedule:next'));
    await title('quote:title');
    await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
    await press(say('quote:next'));
    await title('guidelines:title');
    await tabTo(say('guidelines:agree.label'));
    await page.keyboard.press('Space');
    await shoot('agree', 'window');
    await press(say('guidelines:next'));
    await title('shell:loginNeeded');
    await press(say('action.signIn'));
    await title('identity:signIn.title');
    await press(say('identity:signUp.action'));
    await title('identity:signUp.title');
    for (const [name, typed] of [
      ['person:firstName', person.firstName],
      ['person:lastName', person.lastName],
      ['person:email', person.email],
      ['identity:password.label', person.password],
    ] as const) {
      await tabTo(say(name));
      await page.keyboard.type(typed);
    }
    await tabTo(say('identity:terms.label'));
    await page.keyboard.press('Space');
    await press(say('identity:signUp.action'));
    await title('payment:title');
    await expect(page.getByTestId('pay')).toBeEnabled();
    for (const [name, typed] of [
      ['payments:card.number', '4111111111111111'],
      ['payments:card.expiry', '1230'],
      ['payments:card.cvc', '123'],
      ['payments:card.name', 'Ana Roy'],
    ] as const) {
      await tabTo(say(name));
      await page.keyboard.type(typed);
    }
    await press(((await page.getByTestId('pay').textContent()) ?? '').trim());
    await title('confirmation:title');
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await info.attach('order', { body: order.join('\n'), contentType: 'text/plain' });
  });
}

for (const language of ['en', 'zh'] satisfies Language[]) {
  test(`from the door of the back office through the profile by keyboard alone, ${language}`, async ({
    page,
  }, info) => {
    const shoot = photographer(page, `keyboard-ops-${language}-${info.project.name}`);
    const { say, tabTo, title } = keys(page, language, shoot);

    await page.goto(`/signin?lang=${language}`);
    await title('identity:signIn.title');
    await page.goto('/dashboard');
    await title('identity:signIn.title');
    await tabTo(say('person:email'));
    await page.keyboard.type('ops@portage.test');
    await tabTo(say('identity:password.label'));
    await page.keyboard.type('portage-demo-2027');
    await shoot('signin', 'window');
    await page.keyboard.press('Enter');
    await title('person:title');
    await tabTo(say('person:firstName'));
    await page.keyboard.type('Olivia');
    // not saved: the account is one for all tests, which run side by side
    await tabTo(say('action.save'));
    await shoot('save', 'window');
  });
}
