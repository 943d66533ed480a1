import type { RateCard } from '@portage/api';
import { furniture, presets, problem, rooms, someFigures, someRate } from '@portage/mock-api';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';

import { deskToday } from '../shell/company.ts';
import { calendarHandlers, freshCalendar } from './calendar-world.ts';
import { desk, open, server, signedInAs, useDesk } from './render-desk.tsx';

const calendar = freshCalendar();
useDesk();
beforeEach(() => {
  signedInAs('ops');
  server.use(...calendarHandlers(calendar));
});

const asked = (method: string) => desk.world.asked.filter((call) => call.method === method);
const firstMate = 'First mate an hour, with truck ($)';
const nextYear = new Date().getFullYear() + 1;

async function retype(user: UserEvent, field: HTMLElement, text: string): Promise<void> {
  await user.clear(field);
  await user.type(field, text);
}
const waive = (user: UserEvent) =>
  user.click(screen.getByRole('checkbox', { name: 'I do not need the effect of these figures' }));
const save = (user: UserEvent) => user.click(screen.getByRole('button', { name: 'Save as a new version' }));

/** The figures with another fee for a kilometre. */
function withFee(fee: string): RateCard['card'] {
  const card = someFigures() as { rates: { default: Record<string, unknown> } };
  card.rates.default['km_fee'] = fee;
  return card as unknown as RateCard['card'];
}

it('says of rates that are not there that they are not, with a heading and a way back', async () => {
  open('/rates/none/edit');
  expect(await screen.findByRole('heading', { level: 1, name: 'These rates are not there' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to the rates' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

describe('the versions of the rates', () => {
  it('are listed with where they stand, and what can be done with each', async () => {
    open('/rates');
    const now = (await screen.findByText('standard, version 2')).closest('tr') as HTMLElement;
    expect(within(now).getByText('in force')).toBeVisible();
    expect(within(now).getByRole('link', { name: 'Change the prices: standard, version 2' })).toHaveAttribute(
      'href',
      '/dashboard/rates/rate-2/edit',
    );
    expect(within(now).queryByRole('button', { name: /^Remove/ })).toBeNull();
    const before = screen.getByText('standard, version 1').closest('tr') as HTMLElement;
    expect(within(before).getByText('ended')).toBeVisible();
    expect(within(before).getByRole('link', { name: /^Use these figures again/ })).toBeVisible();
    expect(asked('GET').at(-1)).toMatchObject({ path: '/rates', query: { page: '1', per_page: '25' } });
  });

  it('begins with the figures of the program where there is none', async () => {
    desk.world.rates.versions = [];
    const { user, router } = open('/rates');
    expect(await screen.findByText('No rates yet')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Begin with these figures' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/rates/rate-1/edit'));
    expect(await screen.findByLabelText(firstMate)).toBeVisible();
    expect(asked('POST')).toMatchObject([{ path: '/rates', body: {} }]);
    expect(asked('POST')[0]?.key).toBeTruthy();
  });

  it('loses a planned one when asked twice', async () => {
    const { user } = open('/rates');
    await user.click(await screen.findByRole('button', { name: 'Remove the planned version: standard, version 3' }));
    expect(await screen.findByText(/no booking is priced with it/)).toBeVisible();
    expect(asked('DELETE')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Remove the planned version' }));
    expect(await screen.findByText('Removed: standard, version 3')).toBeVisible();
    await waitFor(() => expect(screen.queryByText('standard, version 3')).toBeNull());
    expect(asked('DELETE')).toHaveLength(1);
  });

  it('keeps one that has begun meanwhile, and says why', async () => {
    const { user } = open('/rates');
    await user.click(await screen.findByRole('button', { name: 'Remove the planned version: standard, version 3' }));
    desk.world.rates.versions = desk.world.rates.versions.map((one) =>
      one.id === 'rate-3' ? { ...one, state: 'active' } : one,
    );
    await user.click(await screen.findByRole('button', { name: 'Remove the planned version' }));
    expect(await screen.findByText(/This version has begun meanwhile/)).toBeVisible();
    expect(desk.world.rates.versions).toHaveLength(3);
  });
});

describe('a change of the prices', () => {
  it('is saved once the effect of exactly these figures was shown', async () => {
    const { user, router } = open('/rates/rate-2/edit');
    const field = await screen.findByLabelText(firstMate);
    expect(field).toHaveValue('80.00');
    await retype(user, field, '85,50');
    expect(screen.getByText('Was 80.00')).toBeVisible();
    await save(user);
    expect(await screen.findByRole('alert')).toHaveTextContent('Look at the effect of these figures first');
    expect(asked('PUT')).toEqual([]);

    await user.click(screen.getByRole('button', { name: 'Show the effect' }));
    // twelve hours in all
    expect((await screen.findAllByText('+$66.00'))[0]).toBeVisible();
    expect(screen.getByRole('link', { name: 'PTG20K, +$33.00' })).toHaveAttribute(
      'href',
      '/dashboard/bookings/00000000-0000-7000-8000-000000000002',
    );
    const table = within(screen.getByRole('region', { name: 'Effect on each booking' }));
    const codes = table.getAllByRole('link').map((link) => link.textContent);
    expect(codes).toEqual(['PTG20K', 'PTG30K', 'PTG10K']);
    expect(screen.getByText('Bookings that cannot be priced').nextSibling).toHaveTextContent('1');
    expect(asked('POST').at(-1)).toMatchObject({ path: '/rates/rate-2/preview', body: { n: 200 } });

    // other figures: what was shown is no longer of them
    await retype(user, field, '86');
    expect(screen.getByText(/This is of other figures/)).toBeVisible();
    await save(user);
    expect(await screen.findByRole('alert')).toHaveTextContent('Look at the effect of these figures first');
    await user.click(screen.getByRole('button', { name: 'Show the effect' }));
    expect((await screen.findAllByText('+$72.00'))[0]).toBeVisible();
    await save(user);
    expect(await screen.findByText('Version 4 is saved.')).toBeVisible();
    await waitFor(() => expect(router.state.location.pathname).toMatch(/\/rates$/));
    expect(asked('PUT')).toHaveLength(1);
    const { path, version, body } = asked('PUT')[0] ?? {};
    expect([path, version]).toEqual(['/rates/rate-2', '"3"']);
    const figures = someFigures() as { rates: { default: Record<string, unknown> } };
    figures.rates.default['first_mate_hourly'] = '86.00';
    expect(body).toEqual({ card: figures });
  });

  it('shows what chosen example moves would cost', async () => {
    const larger = { ...presets[0], id: 'two-bedroom', name: { en: 'Two bedrooms', fr: '', zh: '' } };
    const catalogue = { data: furniture, presets: [...presets, larger], rooms };
    server.use(http.get('*/api/furniture', () => HttpResponse.json(catalogue)));
    const { user } = open('/rates/rate-2/edit');
    await retype(user, await screen.findByLabelText(firstMate), '90');
    await user.click(await screen.findByRole('button', { name: 'Example moves' }));
    const second = within(screen.getByRole('group', { name: 'Example 2' }));
    await retype(user, second.getByLabelText('Mates who carry'), '0');
    await user.click(screen.getByRole('button', { name: 'Show the effect' }));
    expect((await screen.findAllByText(/An example has 1 to 20 mates/)).length).toBeGreaterThan(0);
    expect(asked('POST')).toEqual([]);

    await retype(user, second.getByLabelText('Mates who carry'), '5');
    await user.selectOptions(second.getByLabelText('Pickup and dropoff in'), 'ON');
    await user.click(screen.getByRole('button', { name: 'Add an example' }));
    await user.click(screen.getByRole('button', { name: 'Show the effect' }));
    const table = within(await screen.findByRole('region', { name: 'Effect on the example moves' }));
    // the stand-in prices an hour a mate
    const [row] = table.getAllByRole('row', { name: /Two bedrooms, 5 mates, 15 km, Ontario/ });
    expect(row).toHaveTextContent('5 h$400.00$450.00+$50.00');
    // the head, two of known homes, and one more
    expect(table.getAllByRole('row')).toHaveLength(4);
    const sent = asked('POST').at(-1)?.body as { examples: object[] } | undefined;
    const [first, other] = sent?.examples ?? [];
    expect(first).toMatchObject({ travelDuration: 20, distanceKm: '8.0', mateCount: 2 });
    expect(first).not.toHaveProperty('movingDate');
    expect(other).toMatchObject({ mateCount: 5, pickupAddress: { province: 'ON' } });
  });

  it('leads every mistake to its field, also in a part that was closed', async () => {
    server.use(
      http.put('*/api/rates/:id', () =>
        problem(422, 'validation_failed', 'Wrong.', {
          errors: [{ field: 'card.rates.ON.km_fee', code: 'out_of_range', message: 'Too much.' }],
        }),
      ),
    );
    const { user } = open('/rates/rate-2/edit');
    await retype(user, await screen.findByLabelText(firstMate), '90');
    await waive(user);
    await save(user);
    const summary = await screen.findByRole('alert');
    await user.click(
      within(summary).getByRole('link', {
        name: 'Ontario: Each further kilometre – This figure is too small or too large.',
      }),
    );
    const wrong = document.getElementById('rate-rates-ON-km_fee');
    expect(wrong).toBeInvalid();
    expect(wrong).toHaveFocus();
    expect(document.getElementById('rate-rates-default-first_mate_hourly')).toHaveValue('90');
    await user.type(wrong as HTMLElement, '2');
    expect(wrong).toBeValid();
  });

  it('says in words where a mistake is that has no field here', async () => {
    const errors = [
      { field: 'card.rates.MB.km_fee', code: 'out_of_range', message: 'Too much.' },
      { field: 'card.rates.BC.kmfee', code: 'unknown', message: 'Unknown.' },
      { field: 'card.taxes.NT', code: 'required', message: 'Missing.' },
      { field: 'card', code: 'other', message: 'This card cannot be used.' },
    ];
    server.use(http.put('*/api/rates/:id', () => problem(422, 'validation_failed', 'Wrong.', { errors })));
    const { user } = open('/rates/rate-2/edit');
    await retype(user, await screen.findByLabelText(firstMate), '90');
    await waive(user);
    await save(user);
    const summary = await screen.findByRole('alert');
    for (const words of [
      'Manitoba: Each further kilometre – This figure is too small or too large.',
      'British Columbia: “kmfee”, which has no field here – The server does not know this.',
      'Taxes, Northwest Territories – Fill this in.',
      'This card cannot be used.',
    ])
      expect(summary).toHaveTextContent(words);
    expect(summary).not.toHaveTextContent('rates.');
  });

  it('sends nothing that cannot be read', async () => {
    const { user } = open('/rates/rate-2/edit');
    await retype(user, await screen.findByLabelText(firstMate), 'a lot');
    await user.click(screen.getByRole('button', { name: 'Show the effect' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('This cannot be read as such a figure.');
    await waive(user);
    await save(user);
    expect(screen.getByLabelText(firstMate)).toBeInvalid();
    expect([...asked('POST'), ...asked('PUT')]).toEqual([]);
  });

  it('writes over nobody: says which version a colleague saved, and goes on with both', async () => {
    const { user } = open('/rates/rate-2/edit');
    await retype(user, await screen.findByLabelText(firstMate), '90');
    desk.world.rates.versions = [
      someRate({ id: 'rate-4', version: 4, card: withFee('1.70') }),
      ...desk.world.rates.versions,
    ];
    await waive(user);
    await save(user);
    expect(await screen.findByText('A colleague saved version 4 meanwhile')).toBeVisible();
    expect(screen.getByText('They changed: Rates for everywhere: Each further kilometre.')).toBeVisible();
    expect(screen.getByLabelText(firstMate)).toHaveValue('90');
    await user.click(screen.getByRole('button', { name: 'Take theirs, and put what I typed on top' }));
    expect(screen.getByLabelText('Each further kilometre ($)')).toHaveValue('1.70');
    expect(screen.getByLabelText(firstMate)).toHaveValue('90.00');
    await waive(user);
    await save(user);
    expect(await screen.findByText('Version 5 is saved.')).toBeVisible();
    expect(asked('PUT').at(-1)).toMatchObject({
      path: '/rates/rate-4',
      version: '"4"',
      body: { card: { rates: { default: { first_mate_hourly: '90.00', km_fee: '1.70' } } } },
    });
  });

  it('of a planned version begins when that would have, and takes its place', async () => {
    const { user } = open('/rates/rate-3/edit');
    expect(await screen.findByText(new RegExp(`hold from March 1, ${nextYear}`))).toBeVisible();
    await waive(user);
    await save(user);
    expect(await screen.findByText('Version 4 is saved.')).toBeVisible();
    expect(asked('PUT')[0]?.body).toMatchObject({ effectiveFrom: `${nextYear}-03-01T05:00:00.000Z` });
    expect(asked('DELETE').map(({ path }) => path)).toEqual(['/rates/rate-3']);
  });

  it('does not begin in the past', async () => {
    const { user } = open('/rates/rate-2/edit');
    await user.click(await screen.findByRole('radio', { name: 'At a day and time' }));
    await user.type(screen.getByLabelText('On the day'), '2020-01-01');
    await waive(user);
    await save(user);
    expect(await screen.findByRole('alert')).toHaveTextContent('That time has passed.');
    expect(asked('PUT')).toEqual([]);
  });

  it('uses the figures of an old version again', async () => {
    desk.world.rates.versions = desk.world.rates.versions.map((one) =>
      one.state === 'past' ? { ...one, card: withFee('0.90') } : one,
    );
    const { user } = open('/rates/rate-1/edit');
    expect(await screen.findByLabelText('Each further kilometre ($)')).toHaveValue('0.90');
    await waive(user);
    await save(user);
    expect(await screen.findByText('Version 4 is saved.')).toBeVisible();
    expect(asked('PUT')[0]).toMatchObject({ path: '/rates/rate-1', body: { card: withFee('0.90') } });
    expect(asked('DELETE')).toEqual([]);
  });

  it('is still there after a reload', async () => {
    const { user } = open('/rates/rate-2/edit');
    await retype(user, await screen.findByLabelText(firstMate), '91');
    cleanup();
    const again = open('/rates/rate-2/edit');
    expect(await screen.findByText('What you typed here before is still there.')).toBeVisible();
    expect(screen.getByLabelText(firstMate)).toHaveValue('91');
    await again.user.click(screen.getByRole('button', { name: 'Begin with the saved figures' }));
    expect(screen.getByLabelText(firstMate)).toHaveValue('80.00');
  });

  it('has provinces that come, with nothing of their own at first', async () => {
    const { user } = open('/rates/rate-2/edit');
    await user.click(await screen.findByRole('button', { name: 'Rates of provinces' }));
    await user.selectOptions(screen.getByLabelText('Province with rates of its own'), 'NS');
    await user.click(screen.getByRole('button', { name: 'Add the province' }));
    expect(screen.getByRole('button', { name: 'Nova Scotia' })).toBeVisible();
    await waive(user);
    await save(user);
    expect(await screen.findByText('Version 4 is saved.')).toBeVisible();
    expect((asked('PUT')[0]?.body as { card: { rates: object } } | undefined)?.card.rates).toHaveProperty('NS', {});
  });

  it('draws the statutory holidays with their names, and says where it does not know them', async () => {
    const year = Number(deskToday().slice(0, 4));
    // a day that no other period has
    const wednesday = [10, 11, 12, 13, 14, 15, 16].find((day) => new Date(Date.UTC(year, 10, day)).getUTCDay() === 3);
    calendar.holidays = new Map([[`${year}-11-${wednesday}`, 'Day of Rest']]);
    const { user } = open('/rates/rate-2/edit');
    await user.click(await screen.findByRole('button', { name: 'Days that cost more' }));
    expect(await screen.findByText(`Day of Rest (Nov ${wednesday})`)).toBeVisible();
    const row = screen.getByText('Statutory holiday', { selector: 'th' }).closest('tr') as HTMLTableRowElement;
    const letter = row.cells[0]?.textContent ?? '';
    expect(row.cells[4]).toHaveTextContent(/^1$/);
    expect(screen.getByTitle('Day of Rest')).toHaveTextContent(letter);

    await user.selectOptions(screen.getByLabelText('Pickup in'), 'MB');
    expect(await screen.findByText(/Statutory holidays of this province are not drawn/)).toBeVisible();
    expect(row.cells[4]).toHaveTextContent('by the calendar');

    server.use(http.get('*/api/calendar/:hub', () => problem(403, 'forbidden', 'Not now.'), { once: true }));
    await user.selectOptions(screen.getByLabelText('Pickup in'), 'ON');
    expect(await screen.findByText(/holidays could not be fetched/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText(`Day of Rest (Nov ${wednesday})`)).toBeVisible();
  });

  it('shows the year as a picture with words, and has periods that come and go', async () => {
    const { user } = open('/rates/rate-2/edit');
    await user.click(await screen.findByRole('button', { name: 'Days that cost more' }));
    const row = screen.getByText('Moving day in Québec', { selector: 'th' }).closest('tr') as HTMLElement;
    for (const words of ['A', '× 2.00', '1']) expect(within(row).getByText(words)).toBeVisible();
    await user.click(screen.getByLabelText('Leave it out: Weekend'));
    await user.click(screen.getByText('Add a period'));
    await waive(user);
    await save(user);
    expect(await screen.findByRole('alert')).toHaveTextContent('Name of the period – Fill this in.');
    await user.type(screen.getAllByLabelText('Name of the period').at(-1) as HTMLElement, 'x');
    await waive(user);
    await save(user);
    expect(await screen.findByText('Version 4 is saved.')).toBeVisible();
    const sent = asked('PUT')[0]?.body as { card: { periods: { name: string }[] } } | undefined;
    const kept = sent?.card.periods.map(({ name }) => name);
    expect(kept).toContain('x');
    expect(kept).not.toContain('weekend');
  });
});
