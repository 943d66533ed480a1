import { expect, test } from '@playwright/test';

import { firefox } from './drive/firefox.ts';
import { webkit } from './drive/webkit.ts';
import { Walker } from './walker.ts';
import { newPerson } from '../support/account.ts';
import type { Language } from '../support/texts.ts';

const drivers = { firefox, webkit };
const freshEstimate = '[data-testid="estimate"][data-phase="fresh"]';

for (const language of ['en', 'fr'] satisfies Language[]) {
  test(`from the two addresses to the paid booking in ${language}`, async ({ baseURL }, info) => {
    const engine = info.project.name as keyof typeof drivers;
    const tab = await drivers[engine]();
    try {
      await walk(new Walker(tab, language), baseURL ?? '', engine === 'webkit' ? 1 : 3);
    } catch (error) {
      await info.attach('window', { body: await tab.picture(), contentType: 'image/png' });
      throw error;
    } finally {
      await tab.close();
    }
  });
}

/** `day` is which open day is taken: walks that go on side by side do not take each other's start. */
async function walk(one: Walker, url: string, day: number): Promise<void> {
  await one.tab.open(`${url}/?lang=${one.language}`);
  await one.title('start:title');
  await one.type('wizard:way.pickup', '1200 rue Peel, Montréal');
  await one.tap('option', null);
  await one.type('wizard:way.dropoff', '300 boulevard Saint-Martin Ouest');
  await one.tap('option', null);
  await one.at('[data-testid="from-price"]');
  await one.tap('link', 'start:next');

  await one.title('locations:title');
  await one.tap('button', 'locations:next');

  await one.title('move:title');
  await one.tapAt(`[role="group"][aria-label="${one.say('furniture:presets.title')}"] button`);
  await one.at(freshEstimate);
  await one.tap('button', 'move:next');

  await one.title('schedule:title');
  await one.tap('button', 'common:month.next');
  // days come from the server by their names, and are found again in a month that this engine has written
  await one.at('td button[data-state="open"]');
  const open = await one.tab.ask(() => document.querySelectorAll('td button[data-state="open"]').length);
  expect(open, 'open days of a month').toBeGreaterThan(15);
  await one.press(() =>
    one.until('an open day', () =>
      one.tab.find((at) => document.querySelectorAll('td button[data-state="open"]').item(at), day),
    ),
  );
  await one.tapAt('label:has(input[name="slot"])');
  await one.at('input[name="slot"]:checked');
  // the notice that the start is kept comes above the way on
  await one.at('[data-testid="kept-for"]');
  await one.at(freshEstimate);
  await one.tap('button', 'schedule:next');

  await one.title('quote:title');
  await one.at(freshEstimate);
  await one.tap('button', 'quote:next');

  await one.title('guidelines:title');
  await one.tap('check', 'guidelines:agree.label');
  await one.tap('button', 'guidelines:next');

  await one.title('shell:loginNeeded');
  await one.tap('button', 'shell:createAccount');
  await one.title('identity:signUp.title');
  const person = newPerson();
  await one.type('person:firstName', person.firstName);
  await one.type('person:lastName', person.lastName);
  await one.type('person:email', person.email);
  await one.type('identity:password.label', person.password);
  await one.tap('check', 'identity:terms.label');
  await one.tap('button', 'identity:signUp.action');

  await one.title('payment:title');
  const total = await one.read('[data-testid="total"]');
  await one.type('payments:card.number', '4111111111111111');
  await one.type('payments:card.expiry', '1230');
  await one.type('payments:card.cvc', '123');
  await one.type('payments:card.name', 'Ana Roy');
  await one.tapAt('[data-testid="pay"]:not(:disabled)');

  await one.title('confirmation:title');
  expect(await one.read('[data-testid="short-id"]')).toMatch(/^[A-HJ-NP-Z2-9-]{5,}$/);
  // what was agreed to is what was booked
  expect(await one.read('main')).toContain(total);
}
