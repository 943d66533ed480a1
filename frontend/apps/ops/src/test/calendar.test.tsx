import { problem } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { calendarHandlers, type CalendarWorld, freshCalendar, some, someAbsence } from './calendar-world.ts';
import { open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();
let world: CalendarWorld;
beforeEach(() => {
  signedInAs('ops');
  world = freshCalendar();
  server.use(...calendarHandlers(world));
});

/** By attribute: names of 365 buttons are slow to work out. */
const square = (day: string) => document.querySelector<HTMLElement>(`[data-day="${day}"]`) as HTMLElement;
/** The square of July 1, once the year is drawn. */
const yearOf = () =>
  waitFor(() => {
    const drawn = square('2027-07-01');
    expect(drawn).toBeInTheDocument();
    return drawn;
  });
/** The panel of a day, once its form is there. */
const panel = async () => {
  await screen.findByText('Save for this day');
  return within(document.querySelector('[role="dialog"]') as HTMLElement);
};
const asked = (method: string) => world.asked.filter((call) => call.method === method);

describe('the hubs', () => {
  it('are those of the server: each can be opened for business', async () => {
    open('/calendar?hub=ottawa&part=week');
    const menu = await screen.findByRole('combobox', { name: 'Hub' });
    await waitFor(() => expect(menu).toHaveDisplayValue('Ottawa'));
    expect(within(menu).getAllByRole('option')).toHaveLength(12);
  });

  it('are asked for once more when they could not be fetched', async () => {
    let away = true;
    server.use(http.get('*/api/hubs', () => (away ? problem(403, 'forbidden', 'Not now.') : undefined)));
    const { user } = open('/calendar');
    expect(await screen.findByText('The hubs could not be loaded')).toBeVisible();
    away = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('combobox', { name: 'Hub' })).toHaveDisplayValue('Montréal');
  });
});

describe('the year', () => {
  it('shows every day with its load in words, and has one tab stop', async () => {
    world.own.set('2027-07-02', { numbers: some(30), reason: 'After the holiday' });
    world.own.set('2027-12-25', { numbers: some(0, 0, 0, 0), reason: '' });
    world.absences = [someAbsence({ from: '2027-07-05', to: '2027-07-05' })];
    open('/calendar?hub=montreal&year=2027');
    await yearOf();
    expect(document.querySelectorAll('[data-day]')).toHaveLength(365);
    expect(document.querySelectorAll('[data-day][tabindex="0"]')).toHaveLength(1);
    expect(square('2027-06-15')).toHaveAttribute('tabindex', '0');
    expect(square('2027-07-01')).toHaveAccessibleName('Thursday, July 1, 2027, full, 24 of 24 mates taken, Canada Day');
    expect(square('2027-07-01')).toHaveTextContent('100%');
    expect(square('2027-07-02')).toHaveAccessibleName(/0 of 30 mates taken, numbers of its own/);
    expect(square('2027-07-05')).toHaveAccessibleName(/somebody or something is away/);
    expect(square('2027-12-25')).toHaveAccessibleName(/closed, no slot is offered/);
    expect(square('2027-12-25')).toHaveTextContent('closed');
    // the name of a holiday stands below its month, too
    expect(screen.getByText('Canada Day')).toBeVisible();
  });

  it('begins with the month of today, or of the day that was chosen', async () => {
    const shown = vi.spyOn(Element.prototype, 'scrollIntoView');
    const months = () =>
      shown.mock.contexts.map((one) =>
        (one as Element).querySelector('[data-day]')?.getAttribute('data-day')?.slice(0, 7),
      );
    const { router } = open('/calendar?hub=montreal&year=2027');
    await yearOf();
    expect(months()).toContain('2027-06');
    shown.mockClear();
    await router.navigate({ to: '/calendar', search: { hub: 'toronto', day: '2027-10-05' } });
    await waitFor(() => expect(months()).toContain('2027-10'));
    shown.mockRestore();
  });

  it('is walked by keys, over the end of a month', async () => {
    const { user } = open('/calendar?hub=montreal&year=2027');
    await yearOf();
    square('2027-06-15').focus();
    await user.keyboard('{PageDown}{ArrowUp}{ArrowUp}{ArrowLeft}');
    expect(square('2027-06-30')).toHaveFocus();
    await user.keyboard('{End}');
    expect(square('2027-07-03')).toHaveFocus();
    expect(document.querySelectorAll('[data-day][tabindex="0"]')).toHaveLength(1);
  });

  it('turns, and leads from a day to its panel and back', async () => {
    const { user, router } = open('/calendar?hub=montreal&year=2026');
    await user.click(await screen.findByLabelText('Next year'));
    await user.click(await yearOf());
    expect(router.state.location.search).toMatchObject({ hub: 'montreal', year: 2027, day: '2027-07-01' });
    await panel();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(square('2027-07-01')).toHaveFocus());
    expect(router.state.location.search).toMatchObject({ hub: 'montreal', year: 2027 });
  });

  it('says of a hub without a calendar that nothing is offered, and leads to its week', async () => {
    world.version = 0;
    world.week = Array.from({ length: 7 }, () => some(0, 0, 0, 0));
    world.taken.clear();
    const { user } = open('/calendar?hub=calgary&year=2027');
    expect(await screen.findByText('No slot is offered here yet')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Set up the usual week' }));
    expect(await screen.findByLabelText('Monday, Mates')).toHaveValue('0');
  });
});

describe('a day', () => {
  it('is given its own numbers with a reason', async () => {
    const { user } = open('/calendar?hub=montreal&day=2027-07-01');
    const form = await panel();
    const mates = form.getByLabelText('Mates');
    expect(mates).toHaveValue('24');
    await user.clear(mates);
    await user.type(mates, '30');
    await user.type(form.getByLabelText('Why (optional)'), 'Moving day');
    await user.click(form.getByRole('button', { name: 'Save for this day' }));
    expect(await screen.findByText('July 1, 2027 has its own numbers now.')).toBeVisible();
    expect(asked('PUT')).toMatchObject([
      {
        path: '/calendar/montreal/2027-07-01',
        body: { mates: 30, trucks: { '10ft': 4, '20ft': 4, '26ft': 3 }, reason: 'Moving day' },
      },
    ]);
    await waitFor(() => expect(square('2027-07-01')).toHaveAccessibleName(/24 of 30 mates taken/));
  });

  it('that is refused says by how much, and keeps what was typed', async () => {
    const { user } = open('/calendar?hub=montreal&day=2027-07-01');
    const form = await panel();
    const mates = form.getByLabelText('Mates');
    await user.clear(mates);
    await user.type(mates, '20');
    await user.click(form.getByRole('button', { name: 'Save for this day' }));
    expect(await form.findByRole('alert')).toHaveTextContent(
      'July 1, 2027: 24 mates are taken, 20 would be there, 4 too few',
    );
    expect(mates).toHaveValue('20');
    expect(world.own.size).toBe(0);
  });

  it('takes whole numbers only', async () => {
    const { user } = open('/calendar?hub=montreal&day=2027-07-02');
    const form = await panel();
    const trucks = form.getByLabelText('Trucks of 20 ft');
    await user.clear(trucks);
    await user.type(trucks, '2.5');
    await user.click(form.getByRole('button', { name: 'Save for this day' }));
    expect(await form.findByRole('alert')).toHaveTextContent('Trucks of 20 ft: enter a whole number from 0 to 1000.');
    expect(asked('PUT')).toEqual([]);
  });

  it('is closed with zeros, and follows its week again', async () => {
    const { user } = open('/calendar?hub=montreal&day=2027-07-02');
    const form = await panel();
    await user.click(form.getByRole('button', { name: 'Put all at 0' }));
    expect(form.getByLabelText('Why (optional)')).toHaveFocus();
    await user.click(form.getByRole('button', { name: 'Save for this day' }));
    await user.click(await form.findByRole('button', { name: 'Follow the week again' }));
    await waitFor(() => expect(form.getByLabelText('Mates')).toHaveValue('24'));
    expect(asked('PUT')[0]?.body).toEqual(some(0, 0, 0, 0));
    expect(asked('DELETE')).toMatchObject([{ path: '/calendar/montreal/2027-07-02' }]);
    await waitFor(() => expect(form.queryByRole('button', { name: 'Follow the week again' })).toBeNull());
  });

  it('that is over is only shown', async () => {
    open('/calendar?hub=montreal&day=2027-06-14');
    expect(await screen.findByText('This day is over; its numbers stay as they were.')).toBeVisible();
    expect(screen.queryByText('Save for this day')).toBeNull();
  });

  it('lists who is away on it, and asks before an absence is removed', async () => {
    world.absences = [someAbsence()];
    const { user } = open('/calendar?hub=montreal&day=2027-07-02');
    const form = await panel();
    await user.click(await form.findByRole('button', { name: 'Remove the absence: Castor' }));
    const question = (await screen.findByText('Remove the absence of Castor?')).closest('[role="dialog"]');
    expect(asked('DELETE')).toEqual([]);
    await user.click(within(question as HTMLElement).getByRole('button', { name: 'Remove the absence' }));
    expect(await form.findByText('Nobody is away on this day.')).toBeVisible();
    expect(asked('DELETE')).toMatchObject([{ path: '/absences/absence-1' }]);
  });
});

describe('the week', () => {
  it('is copied from Monday and saved over the version it began with', async () => {
    const { user } = open('/calendar?hub=montreal&part=week');
    const monday = await screen.findByLabelText('Monday, Mates');
    await user.clear(monday);
    await user.type(monday, '26');
    await user.click(screen.getByRole('button', { name: 'Copy Monday to weekdays' }));
    expect(screen.getByLabelText('Friday, Mates')).toHaveValue('26');
    expect(screen.getByLabelText('Saturday, Mates')).toHaveValue('24');
    await user.click(screen.getByRole('button', { name: 'Save the week' }));
    expect(await screen.findByText('The usual week is saved.')).toBeVisible();
    expect(asked('PUT')).toMatchObject([
      {
        path: '/calendar/montreal/week',
        version: '"3"',
        body: { week: [...Array.from({ length: 5 }, () => some(26)), some(24), some(24)] },
      },
    ]);
  });

  it('that a colleague saved first says so, keeps what was typed, and is saved over theirs when asked', async () => {
    const { user } = open('/calendar?hub=montreal&part=week');
    const monday = await screen.findByLabelText('Monday, Mates');
    await user.clear(monday);
    await user.type(monday, '26');
    world.version = 4;
    world.week = world.week.map((day, index) => (index === 6 ? some(8) : day));
    await user.click(screen.getByRole('button', { name: 'Save the week' }));
    expect(await screen.findByText('A colleague saved this week first; yours is not saved')).toBeVisible();
    expect(screen.getByText(/They changed: Sunday\./)).toBeVisible();
    expect(monday).toHaveValue('26');
    await user.click(screen.getByRole('button', { name: 'Keep what I typed' }));
    expect(screen.getByLabelText('Monday, Mates')).toHaveValue('26');
    expect(screen.getByLabelText('Sunday, Mates')).toHaveValue('8');
    await user.click(screen.getByRole('button', { name: 'Save the week' }));
    expect(await screen.findByText('The usual week is saved.')).toBeVisible();
    expect(asked('PUT').map(({ version }) => version)).toEqual(['"3"', '"4"']);
  });

  it('that leaves a day short says which, and keeps what was typed', async () => {
    const { user } = open('/calendar?hub=montreal&part=week');
    const thursday = await screen.findByLabelText('Thursday, Mates');
    await user.clear(thursday);
    await user.type(thursday, '10');
    await user.click(screen.getByRole('button', { name: 'Save the week' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'July 1, 2027: 24 mates are taken, 10 would be there, 14 too few',
    );
    expect(thursday).toHaveValue('10');
    expect(world.version).toBe(3);
  });
});

describe('absences', () => {
  const write = async (user: ReturnType<typeof open>['user'], who: string, from: string, to: string) => {
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Who is away' }), who);
    for (const [label, day] of [
      ['First day away', from],
      ['Last day away', to],
    ] as const) {
      const field = screen.getByLabelText(label);
      await user.clear(field);
      await user.type(field, day);
    }
    await user.click(screen.getByRole('button', { name: 'Write it down' }));
  };

  it('are added, with the moves that need somebody else, and removed', async () => {
    world.assigned = [{ id: 'booking-1', shortId: 'PTG10K' }];
    const { user } = open('/calendar?hub=montreal&part=absences');
    expect(await screen.findByText('Nobody is down as away.')).toBeVisible();
    await write(user, 'mate:mate-42', '2027-07-01', '2027-07-02');
    expect(await screen.findByText('1 move on these days still has them in its crew')).toBeVisible();
    expect(screen.getByRole('link', { name: 'PTG10K' })).toHaveAttribute('href', '/dashboard/bookings/booking-1');
    expect(asked('POST')).toMatchObject([
      { body: { mateId: 'mate-42', hub: 'montreal', from: '2027-07-01', to: '2027-07-02' } },
    ]);
    expect(asked('POST')[0]?.key).toBeTruthy();
    expect(await screen.findByText('July 1, 2027 to July 2, 2027')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Remove the absence: Nadia Roy' }));
    const question = (await screen.findByText('Remove the absence of Nadia Roy?')).closest('[role="dialog"]');
    await user.click(within(question as HTMLElement).getByRole('button', { name: 'Remove the absence' }));
    expect(await screen.findByText('Nobody is down as away.')).toBeVisible();
  });

  it('offer who belongs to the hub, and nobody else', async () => {
    open('/calendar?hub=montreal&part=absences');
    const choice = await screen.findByRole('combobox', { name: 'Who is away' });
    expect([...choice.querySelectorAll('option')].map((option) => option.value)).toEqual([
      '',
      'mate:mate-42',
      'mate:mate-43',
      'truck:truck-1',
    ]);
  });

  it('that overlap are refused at the name, and what was typed stays', async () => {
    world.absences = [someAbsence()];
    const { user } = open('/calendar?hub=montreal&part=absences');
    await write(user, 'truck:truck-1', '2027-07-03', '2027-07-09');
    expect(await screen.findByRole('alert')).toHaveTextContent('They are away on some of these days already.');
    expect(screen.getByLabelText('Who is away')).toBeInvalid();
    expect(screen.getByLabelText('Last day away')).toHaveValue('2027-07-09');
    await user.click(screen.getByRole('button', { name: 'Write it down' }));
    await waitFor(() => expect(asked('POST')).toHaveLength(2));
    expect(asked('POST')[0]?.key).not.toBe(asked('POST')[1]?.key);
  });

  it('that end before they begin are not sent', async () => {
    const { user } = open('/calendar?hub=montreal&part=absences');
    await write(user, 'truck:truck-1', '2027-07-03', '2027-07-02');
    expect(await screen.findByRole('alert')).toHaveTextContent('The last day away is before the first.');
    expect(asked('POST')).toEqual([]);
  });
});
