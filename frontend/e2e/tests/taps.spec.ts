import { expect, type Locator, type Page, test } from '@playwright/test';

import { newPerson } from '../support/account.ts';
import { checkPage } from '../support/page-checks.ts';
import { allLanguages, type Language, text } from '../support/texts.ts';
import { appArrived, closePieces, heading, locations, openPieces, start } from '../support/wizard.ts';

/** The most taps from the start to the paid booking of a new customer, and the most screens one scrolls on a step. */
const mostTaps = 26;
const mostScreens = 2;

// one step that is too long does not hide the next
const softly = expect.configure({ soft: true });

/** How many screens one scrolls the page, or the list that lies over it. */
const scrolled = (page: Page) =>
  page.evaluate(() => {
    const list = document.querySelector('[data-sheet]')?.parentElement;
    const { scrollHeight } = list ?? document.documentElement;
    return (scrollHeight - (list?.clientHeight ?? window.innerHeight)) / window.innerHeight;
  });

/** A thumb: every press counts, each field that is typed into is one. */
function thumb(page: Page) {
  const taps: string[] = [];
  const count = (what: Locator) => taps.push(String(what));
  return {
    taps,
    tap: async (what: Locator) => {
      count(what);
      await what.click();
    },
    type: async (what: Locator, typed: string) => {
      // a field that has the focus already takes what is typed without a tap
      if (!(await what.evaluate((field) => field === document.activeElement))) {
        count(what);
        await what.click();
      }
      await page.keyboard.type(typed);
    },
  };
}

/** The ready-made homes, in their order: the larger ones need a larger crew, which must not cost a tap. */
const homes = ['studio', 'one-bedroom', 'two-bedroom', 'three-bedroom'] as const;
const walks: { language: Language; home: (typeof homes)[number] }[] = [
  { language: 'en', home: 'one-bedroom' },
  { language: 'fr', home: 'two-bedroom' },
  { language: 'fr', home: 'three-bedroom' },
];
/** As much as the bars of a browser leave of such a telephone's height. */
const lowWindow = { width: 390, height: 664 };

for (const { language, home } of walks) {
  test(`@phone start to paid booking takes a new customer at most ${mostTaps} taps, and no step more than two screens, ${home}, ${language}`, async ({
    page,
  }, info) => {
    const say = (name: string, values = {}) => text(language, name, values);
    const { taps, tap, type } = thumb(page);
    const lengths: string[] = [];
    const title = (name: string) =>
      expect(page.getByRole('heading', { level: 1, name: say(name), exact: true })).toBeVisible();
    const button = (name: string) => page.getByRole('main').getByRole('button', { name: say(name), exact: true });
    const short = async (step: string) => {
      await softly.poll(() => scrolled(page), `${step} scrolls at most two screens`).toBeLessThanOrEqual(mostScreens);
      lengths.push(`${step} ${(await scrolled(page)).toFixed(2)}`);
    };
    const fresh = () => expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');

    await page.goto(`/?lang=${language}`);
    await title('start:title');
    await appArrived(page);
    await type(page.getByRole('combobox', { name: say('wizard:way.pickup') }), '1200 rue Peel, Montréal');
    await tap(page.getByRole('option').first());
    // the second field has the focus by itself
    await expect(page.getByRole('combobox', { name: say('wizard:way.dropoff') })).toBeFocused();
    await type(page.getByRole('combobox', { name: say('wizard:way.dropoff') }), '300 boulevard Saint-Martin Ouest');
    await tap(page.getByRole('option').first());
    await expect(page.getByTestId('from-price')).toBeVisible();
    await short('start');
    await tap(page.getByRole('link', { name: say('start:next'), exact: true }));

    await title('locations:title');
    await short('locations');
    await tap(button('locations:next'));

    await title('move:title');
    await expect(page.getByRole('group', { name: say('furniture:presets.title') })).toBeVisible();
    await short('move-type on arrival');
    await tap(
      page
        .getByRole('group', { name: say('furniture:presets.title') })
        .getByRole('button')
        .nth(homes.indexOf(home)),
    );
    await fresh();
    await short('move-type');
    await tap(button('move:next'));

    await title('schedule:title');
    await tap(page.getByRole('button', { name: say('common:month.next') }));
    await tap(page.locator('td button[data-state="open"]').nth(walks.findIndex((walk) => walk.home === home) * 2 + 2));
    await tap(page.locator('label:has(input[name="slot"]:not(:disabled))').first());
    await fresh();
    await short('schedule');
    await tap(button('schedule:next'));

    await title('quote:title');
    await fresh();
    await short('quote');
    await tap(button('quote:next'));

    await title('guidelines:title');
    await expect(page.getByRole('heading', { level: 2, name: say('guidelines:rules') })).toBeVisible();
    await tap(page.getByRole('checkbox', { name: say('guidelines:agree.label') }));
    await short('guidelines');
    await tap(button('guidelines:next'));

    // a new customer meets the wall, and the way through it is on it
    await title('shell:loginNeeded');
    await tap(button('shell:createAccount'));
    await title('identity:signUp.title');
    const person = newPerson();
    for (const [name, typed] of [
      ['person:firstName', person.firstName],
      ['person:lastName', person.lastName],
      ['person:email', person.email],
      ['identity:password.label', person.password],
    ] as const)
      await type(page.getByLabel(say(name), { exact: true }), typed);
    await tap(page.getByLabel(say('identity:terms.label'), { exact: true }));
    await short('signup');
    await tap(button('identity:signUp.action'));

    // and leads back onto the way
    await title('payment:title');
    await expect(page.getByTestId('pay')).toBeEnabled();
    for (const [name, typed] of [
      ['payments:card.number', '4111111111111111'],
      ['payments:card.expiry', '1230'],
      ['payments:card.cvc', '123'],
      ['payments:card.name', 'Ana Roy'],
    ] as const)
      await type(page.getByLabel(say(name), { exact: true }), typed);
    await short('payment');
    await tap(page.getByTestId('pay'));
    await title('confirmation:title');
    await info.attach('taps and lengths', { body: [taps.length, ...lengths, ...taps].join('\n') });
    // on paper a small home is one page, with the margins a printer leaves; a longer list of pieces takes its room
    const margin = { top: '1cm', right: '1cm', bottom: '1cm', left: '1cm' };
    const pages = (await page.pdf({ format: 'Letter', margin })).toString('latin1').match(/\/Type\s*\/Page[^s]/g) ?? [];
    expect(pages.length).toBeLessThanOrEqual(home === 'one-bedroom' ? 1 : 2);
    expect(taps.length, taps.join('\n')).toBeLessThanOrEqual(mostTaps);
  });
}

for (const language of allLanguages)
  test(`@phone what is moved takes at most two screens with every ready-made home, its list open or not, ${language}`, async ({
    page,
  }) => {
    const walk = { page, language };
    await start(walk);
    await locations(walk);
    await heading(walk, 'move:title');
    const say = (name: string) => text(language, `furniture:${name}`);
    const homes = page.getByRole('group', { name: say('presets.title') }).getByRole('button');
    const list = page.getByRole('dialog', { name: say('items.list') });
    const button = (name: string) => list.getByRole('button', { name: say(name), exact: true });
    await expect(homes.first()).toBeVisible();
    for (const home of await homes.all()) {
      await home.click();
      await expect(home).toHaveAttribute('aria-pressed', 'true');
      await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
      // the crews that cannot carry it say so
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
      const name = (await home.textContent()) ?? '';
      await softly.poll(() => scrolled(page), name).toBeLessThanOrEqual(mostScreens);
      const usual = page.viewportSize();
      await page.setViewportSize(lowWindow);
      await softly.poll(() => scrolled(page), `${name}, a low window`).toBeLessThanOrEqual(mostScreens);
      if (usual) await page.setViewportSize(usual);
      // all that is chosen, a row each, over the page
      await openPieces(walk);
      await expect(list.locator('[data-id] svg path').first()).toBeVisible();
      await softly.poll(() => scrolled(page), `${name}, the list`).toBeLessThanOrEqual(mostScreens);
      // the groups, and in them the pieces that most homes have
      await button('items.showAll').click();
      await expect(list.getByRole('group', { name: say('groups.title') })).toBeVisible();
      await softly.poll(() => scrolled(page), `${name}, the groups`).toBeLessThanOrEqual(mostScreens);
      await closePieces(walk);
    }
    // a list that somebody changed is as long
    await openPieces(walk);
    await checkPage(page, language);
    await list.locator('[data-id]').first().getByRole('button').last().click();
    await closePieces(walk);
    await expect(page.locator('button[aria-haspopup="dialog"]').filter({ hasText: /\d/ })).toBeFocused();
    await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    await softly.poll(() => scrolled(page), 'a changed list').toBeLessThanOrEqual(mostScreens);
    // further rooms are one press away
    const further = page.getByRole('button', { name: say('rooms.title'), exact: true });
    const rooms = page.getByRole('list', { name: say('rooms.title') });
    await expect(rooms).toBeHidden();
    await further.click();
    await expect(rooms).toBeVisible();
    await expect(further).toBeFocused();
  });
