import { expect, type Page, test } from '@playwright/test';

import { mailsTo, newPerson } from '../support/account.ts';
import { fillCard, pay, paymentReady, refusedCard } from '../support/checkout.ts';
import { draftAMove } from '../support/draft.ts';
import { openMenu } from '../support/menu.ts';
import { retrying } from '../support/retrying.ts';
import { keep, signedUp } from '../support/signed-in.ts';
import { allLanguages, text } from '../support/texts.ts';
import { chooseAddress, closePieces, heading, openPieces, start } from '../support/wizard.ts';

test.use({ actionTimeout: 30_000 });

/** The digits of an amount, so that two ways of writing it can be compared. */
const digits = (amount: string | null | undefined) => (amount ?? '').replaceAll(/\D/g, '');

/** The amounts a page writes largest. */
function largestAmounts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: { size: number; amount: string }[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement: at, textContent: words } = walker.currentNode;
      if (!at?.checkVisibility({ visibilityProperty: true }) || at.getClientRects().length === 0) continue;
      const amount = /\$\s?[\d,]+\.\d\d|[\d\s\u00A0\u202F]+,\d\d\s?\$/.exec(words ?? '')?.[0];
      if (amount) found.push({ size: parseFloat(getComputedStyle(at).fontSize), amount: amount.replaceAll(/\D/g, '') });
    }
    const largest = Math.max(...found.map(({ size }) => size));
    return [...new Set(found.filter(({ size }) => size === largest).map(({ amount }) => amount))];
  });
}

/** What was mailed to somebody, newest first. */
async function bodiesTo(page: Page, email: string): Promise<string[]> {
  const mails = await mailsTo(page, email);
  return Promise.all(
    mails.map(async ({ id }) => (await page.request.get(`/simulators/mailbox/messages/${id}`, retrying)).text()),
  );
}

for (const language of allLanguages) {
  const say = (name: string, values: Record<string, string | number> = {}) => text(language, name, values);

  test(`A1 A2 one number leads, and what would lower it has a price (${language})`, async ({ page }) => {
    const walk = { page, language };
    // up three flights without an elevator there is something that would make it cheaper
    await draftAMove(walk, { floor: 3, at: '/move-type' });
    await page
      .getByRole('group', { name: say('furniture:presets.title') })
      .getByRole('button')
      .nth(1)
      .click();
    await page.getByRole('button', { name: say('furniture:rooms.replace') }).click();
    await page.goto('/quote');
    await heading(walk, 'quote:title');
    const header = page.getByTestId('estimate');
    await expect(header).toHaveAttribute('data-phase', 'fresh');
    await expect.poll(() => largestAmounts(page), 'one amount is written largest').toHaveLength(1);
    const leading = await largestAmounts(page);
    // the specification's header, amount and tax, is its second line
    const [amount, tax] = say('estimate:parts')
      .split('{amount}')
      .join('|')
      .split('{tax}')
      .join('|')
      .split('|')
      .slice(1);
    await expect(header).toContainText((amount ?? '').trim());
    await expect(header).toContainText((tax ?? '').trim());
    expect(digits(await header.textContent())).toContain(leading[0]);
    // what would make it cheaper, and by how much
    const hints = page.getByText(say('quote:hints.title')).first();
    await hints.click();
    const list = page.getByRole('list', { name: say('quote:hints.title') });
    await expect(list.getByRole('listitem').first()).toHaveText(/\u2212\D{0,4}\d/);
    // a tip is part of the leading number, and said as that
    await page.getByRole('button', { name: say('quote:tip.share', { share: 10 }) }).click();
    await expect(header).toContainText(say('estimate:labelWithTip'));
    await expect(header).toHaveAttribute('data-phase', 'fresh');
    await expect.poll(() => largestAmounts(page)).toHaveLength(1);
    await expect.poll(async () => Number((await largestAmounts(page))[0])).toBeGreaterThan(Number(leading[0]));
  });

  test(`B6 B8 the two addresses, what is assumed about them, and places by their kind (${language})`, async ({
    page,
  }) => {
    const walk = { page, language };
    await page.goto(`/?lang=${language}`);
    await chooseAddress(walk, 'pickup');
    await chooseAddress(walk, 'dropoff');
    await expect(page.getByTestId('from-price')).toHaveText(/\d/);
    await expect(page.getByRole('list', { name: say('wizard:stepper.label') }).getByRole('listitem')).toHaveCount(3);
    await page.getByRole('link', { name: say('start:next'), exact: true }).click();
    await heading(walk, 'locations:title');
    // one line says what is assumed; the questions come on demand
    const facts = page.getByTestId('pickup-access').getByRole('listitem');
    await expect(facts).toHaveText([
      say('domain:access.groundFloor'),
      say('domain:access.noElevator'),
      say('domain:access.parking'),
    ]);
    await expect(page.getByLabel(say('locations:floor.label'), { exact: true })).toHaveCount(0);
    await page
      .getByRole('button', { name: say('wizard:changeWhat', { what: say('locations:access.title') }) })
      .first()
      .click();
    await page.getByLabel(say('locations:category.label')).selectOption('condo');
    await expect(facts.first()).toHaveText(say('domain:category.condo'));
    await page.getByRole('textbox', { name: say('locations:floor.label'), exact: true }).fill('2');
    await page.keyboard.press('Tab');
    await expect(page.getByText(say('locations:level.second'))).toBeVisible();
    // every province by its name
    await page.getByRole('button', { name: say('wizard:changeWhat', { what: say('wizard:way.dropoff') }) }).click();
    await page.getByRole('button', { name: say('address:manual.open') }).click();
    const provinces = page.getByLabel(say('address:manual.province'));
    await expect(provinces.locator('option')).toHaveCount(13);
    await expect(provinces.locator('option', { hasText: say('domain:province.NL') })).toHaveCount(1);
  });

  test(`B9 a piece of one's own, taking apart and extra services (${language})`, async ({ page }) => {
    const walk = { page, language };
    await draftAMove(walk, { at: '/move-type' });
    await heading(walk, 'move:title');
    const estimate = page.getByTestId('estimate');
    await expect(estimate).toHaveAttribute('data-phase', 'fresh');
    // three sizes, and what it is in the person's words
    await openPieces(walk);
    await page.getByText(say('furniture:own.title')).click();
    const own = page.locator('li[data-id^="own-"]');
    await expect(own).toHaveCount(3);
    await own.last().click({ position: { x: 30, y: 30 } });
    await page.getByLabel(say('furniture:own.what'), { exact: true }).fill('harp');
    await expect(own.last()).toHaveAttribute('data-chosen', 'true');
    await closePieces(walk);
    // a service the rate card prices is a line; another one is a word to staff
    await page.getByText(say('move:services.title')).click();
    await page.getByLabel(say('domain:lineCode.packing'), { exact: true }).check();
    await expect(page.getByRole('status').getByText(new RegExp(`^${say('domain:lineCode.packing')}`))).toBeVisible();
    const assembly = page.getByLabel(say('move:services.assembly'), { exact: true });
    await expect(assembly).toBeChecked();
    await assembly.uncheck();
    await expect(estimate).toHaveAttribute('data-phase', 'fresh');
    await page.goto('/quote');
    await heading(walk, 'quote:title');
  });

  test(`B10 card first; a refused card is told in our words (${language})`, async ({ page }) => {
    const walk = { page, language };
    await draftAMove(walk, { person: newPerson() });
    await paymentReady(walk);
    const card = page.getByLabel(say('payments:card.number'), { exact: true });
    const order = page.getByRole('heading', { name: say('payment:order.title') });
    const [first, second] = [await card.boundingBox(), await order.boundingBox()];
    const wide = (page.viewportSize()?.width ?? 0) > 1000;
    if (wide) expect(second?.x ?? 0, 'the summary stands on the right').toBeGreaterThan((first?.x ?? 0) + 200);
    else expect(second?.y ?? 0, 'the card comes first').toBeGreaterThan(first?.y ?? 0);
    await expect(page.getByRole('heading', { name: say('payment:mandate.title') })).toBeVisible();
    await fillCard(walk, refusedCard);
    await page.getByTestId('pay').click();
    await expect(page.getByRole('alert')).toContainText(say('payments:payment.declined'));
    await expect(page.getByRole('alert')).not.toContainText(/declined|2000|processor/i);
  });

  test(`B11 C13 a boarding pass, and one promise of the hour everywhere (${language})`, async ({ page }) => {
    const walk = { page, language };
    const person = newPerson();
    await draftAMove(walk, { person });
    const number = await pay(walk);
    const pass = page.getByTestId('pass');
    for (const name of [
      'domain:end.pickup',
      'domain:end.dropoff',
      'confirmation:pass.window',
      'confirmation:pass.crew',
    ])
      await expect(pass.getByText(say(name), { exact: true })).toBeVisible();
    await expect(pass).toContainText(say('domain:bookingStatus.pending'));
    await expect(pass).not.toContainText(/pending/i);
    const until = say('confirmation:pass.until');
    const window =
      (await pass
        .getByText(new RegExp(until.replace('{from}', '.+').replace('{until}', '.+')))
        .first()
        .textContent()) ?? '';
    const hours = window.match(/\d{1,2}(?::| h )?\d{0,2}/g) ?? [];
    expect(hours.length).toBeGreaterThanOrEqual(2);

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: say('checkout:calendar.add') }).click();
    const stream = await (await download).createReadStream();
    let file = '';
    for await (const part of stream) file += String(part);
    const description = file.replaceAll('\r\n ', '');
    for (const hour of hours) expect(description).toContain(hour);
    expect(description).toContain(number);

    // the mail says the same hour
    await expect(async () => {
      const bodies = await bodiesTo(page, person.email);
      // a new account has a mail of its own, which may be there first
      const body = bodies.find((one) => one.includes(number)) ?? '';
      for (const hour of hours) expect(body).toContain(hour);
    }).toPass({ timeout: 30_000 });

    // on paper: one page without the demonstration's own links
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('link', { name: say('shell:demo.mailbox') })).toBeHidden();
    await expect(page.getByText(say('shell:demo.banner'))).toBeHidden();
    await expect(page.getByTestId('paper')).toBeVisible();
    await page.emulateMedia({ media: 'screen' });
  });

  test(
    `B12 a change: the tip as it is, a row leads back, nothing changed is said (${language})`,
    { tag: '@desktop' },
    async ({ page }) => {
      test.slow();
      const walk = { page, language };
      const person = newPerson();
      await draftAMove(walk, { person });
      const number = await pay(walk);
      await page.getByRole('link', { name: say('confirmation:change.see') }).click();
      await expect(
        page.getByRole('heading', { level: 1, name: say('bookings:titleOne', { id: number }) }),
      ).toBeVisible();
      await page.getByRole('link', { name: say('bookings:change'), exact: true }).click();
      await heading(walk, 'quote:title');
      await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
      // nothing changed
      await page.getByRole('button', { name: say('edit:review') }).click();
      await expect(page.getByRole('dialog', { name: say('edit:unchangedTitle') })).toBeVisible();
      await page.keyboard.press('Escape');
      // a percent tip is saved with the move, and follows its price
      await page.getByRole('button', { name: say('quote:tip.share', { share: 10 }) }).click();
      await page.getByRole('link', { name: say('wizard:changeWhat', { what: say('quote:answer.kind') }) }).click();
      await heading(walk, 'move:title');
      await page.locator('label:has(input[name="mateCount"])').nth(2).click();
      await page.getByRole('button', { name: say('wizard:backToQuote') }).click();
      await heading(walk, 'quote:title');
      await expect(page.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
      await page.getByRole('button', { name: say('edit:review') }).click();
      const dialog = page.getByRole('dialog', { name: say('edit:title') });
      await expect(dialog.getByText(say('edit:newTip'))).toBeVisible();
      await dialog.getByRole('button', { name: say('action.save') }).click();
      await expect(
        page.getByRole('heading', { level: 1, name: say('bookings:titleOne', { id: number }) }),
      ).toBeVisible();
      await expect(page.getByRole('main')).toContainText(say('domain:count.mates_other', { count: 3 }));
      // the mail lists what was and what is
      await expect(async () => {
        const bodies = await bodiesTo(page, person.email);
        expect(bodies.some((body) => body.includes('→'))).toBe(true);
      }).toPass({ timeout: 30_000 });
      // Close leads to the booking
      await page.getByRole('link', { name: say('bookings:change'), exact: true }).click();
      await heading(walk, 'quote:title');
      await expect(page.getByRole('button', { name: say('quote:tip.share', { share: 10 }) })).toHaveAttribute(
        'aria-pressed',
        'true',
      );
      await page.getByRole('link', { name: say('action.close') }).click();
      await expect(
        page.getByRole('heading', { level: 1, name: say('bookings:titleOne', { id: number }) }),
      ).toBeVisible();
    },
  );

  test(`B7 @phone the lower edge is the total and Continue; the rest is in the menu (${language})`, async ({
    page,
  }) => {
    const walk = { page, language };
    await draftAMove(walk, { at: '/move-type' });
    await heading(walk, 'move:title');
    const bar = page.locator('[data-step-bar]');
    await expect(bar.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh');
    await expect(bar.getByRole('button')).toHaveCount(2);
    const below = async () => {
      const box = await bar.boundingBox();
      return Math.abs((box?.y ?? 0) + (box?.height ?? 0) - 844);
    };
    await expect.poll(below, 'it stands at the lower edge').toBeLessThanOrEqual(2);
    const menu = await openMenu(page, language);
    for (const one of allLanguages) await expect(menu.getByRole('button', { name: say(`lang.${one}`) })).toBeVisible();
    await expect(menu.getByRole('button', { name: say('action.signIn') })).toBeVisible();
    await expect(menu.getByRole('button', { name: say('shell:createAccount') })).toBeVisible();
    await page.keyboard.press('Escape');
    // pages of the account begin with what they are about
    page.on('dialog', (dialog) => void dialog.accept());
    await keep(page, '', await signedUp(page, language, newPerson()));
    await page.goto('/profile/bookings');
    await expect(page.getByRole('heading', { level: 1, name: say('shell:page.bookings'), exact: true })).toBeVisible();
    const top = async () => (await page.getByRole('heading', { level: 1 }).boundingBox())?.y ?? 999;
    await expect.poll(top).toBeLessThan(220);
    const menuOfAccount = page.getByRole('navigation', { name: say('account:label') });
    if (await menuOfAccount.isVisible()) {
      const nav = await menuOfAccount.boundingBox();
      expect(nav?.y ?? 0, 'the menu does not stand before the content').toBeGreaterThan(await top());
    }
  });
}

test('B6 start over and prefilled starts keep the two fields first', async ({ page }) => {
  await start({ page, language: 'en' });
  await heading({ page, language: 'en' }, 'locations:title');
});
