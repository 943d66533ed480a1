import { problem, someMate } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';

import { calendarHandlers, freshCalendar } from './calendar-world.ts';
import { desk, open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();

const asked = () =>
  desk.world.asked.filter((call) => call.method !== 'GET').map((call) => `${call.method} ${call.path}`);
const field = () => screen.findByLabelText<HTMLInputElement>('Link to the calendar');
/** The page of a mate who has no job. */
const myJobs = () => {
  signedInAs('mate');
  server.use(http.get('*/api/jobs', () => HttpResponse.json({ data: [] })));
  return open('/my-jobs');
};

describe('the link to one’s own calendar', () => {
  it('is shown once, copied, made anew after a question, and ended', async () => {
    const { user } = myJobs();
    expect(await screen.findByText('No link works at the moment.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Make a link' }));
    expect((await field()).value).toBe('https://portage.test/api/feeds/secret-1/calendar.ics');
    expect(await screen.findByText(/^A link works since .*, made by Ana Roy\.$/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open in a calendar program' })).toHaveAttribute(
      'href',
      'webcal://portage.test/api/feeds/secret-1/calendar.ics',
    );
    await user.click(screen.getByRole('button', { name: 'Copy the link' }));
    expect(await screen.findByText('The link is copied.')).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe('https://portage.test/api/feeds/secret-1/calendar.ics');

    // a new one ends the one before, so it asks
    await user.click(screen.getByRole('button', { name: 'Make a new link' }));
    const question = within(await screen.findByRole('dialog', { name: 'Make a new link?' }));
    expect(asked()).toEqual(['POST /jobs/feed']);
    await user.click(question.getByRole('button', { name: 'Make a new link' }));
    await waitFor(async () => expect((await field()).value).toContain('secret-2'));

    await user.click(screen.getByRole('button', { name: 'End the link' }));
    const sure = within(await screen.findByRole('dialog', { name: 'End the link?' }));
    await user.click(sure.getByRole('button', { name: 'End the link' }));
    const ended = await screen.findByText('The link has ended.');
    expect(ended).toBeVisible();
    // the button that was pressed is gone
    await waitFor(() => expect(ended.closest('[role="status"]')).toHaveFocus());
    expect(screen.queryByLabelText('Link to the calendar')).toBeNull();
    expect(asked()).toEqual(['POST /jobs/feed', 'POST /jobs/feed', 'DELETE /jobs/feed/feed-2']);
  });

  it('is marked for copying by hand where the browser does not copy', async () => {
    const { user } = myJobs();
    navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
    await user.click(await screen.findByRole('button', { name: 'Make a link' }));
    await user.click(await screen.findByRole('button', { name: 'Copy the link' }));
    expect(await screen.findByText(/copy it by hand/)).toBeVisible();
    const input = await field();
    expect(input).toHaveFocus();
    expect(input.selectionEnd).toBe(input.value.length);
  });

  it('says why none was made', async () => {
    const { user } = myJobs();
    await screen.findByText('No link works at the moment.');
    server.use(http.post('*/api/jobs/feed', () => problem(409, 'rate_limited', 'Try again in a minute.')));
    await user.click(screen.getByRole('button', { name: 'Make a link' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Try again in a minute.');
    expect(screen.getByText('No link works at the moment.')).toBeVisible();
  });

  it('is gone from the page when somebody else ended it', async () => {
    desk.world.feeds.standing.set('own', { id: 'feed-9', madeAt: '2027-02-01T15:00:00Z', madeBy: 'Dana Desk' });
    const { user } = myJobs();
    expect(await screen.findByText(/made by Dana Desk/)).toBeVisible();
    // it was made elsewhere: nobody is shown its secret
    expect(screen.queryByLabelText('Link to the calendar')).toBeNull();
    desk.world.feeds.standing.clear();
    await user.click(screen.getByRole('button', { name: 'End the link' }));
    const sure = within(await screen.findByRole('dialog', { name: 'End the link?' }));
    await user.click(sure.getByRole('button', { name: 'End the link' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('There is no such link.');
    expect(await screen.findByText('No link works at the moment.')).toBeVisible();
  });
});

describe('links that staff make', () => {
  it('stand in the record of a mate, but not of one who has left', async () => {
    signedInAs('ops');
    desk.world.catalogues.mates = [
      someMate(),
      someMate({ id: 'mate-43', mateID: 'M-0043', name: 'Luc Dion', state: 'archived' }),
    ];
    const { user, router } = open('/mates?open=mate-42');
    const drawer = within(await screen.findByRole('dialog'));
    await user.click(await drawer.findByRole('button', { name: 'Make a link' }));
    expect((await field()).value).toContain('secret-1');
    expect(asked()).toEqual(['POST /mate/mate-42/feed']);
    await router.navigate({ to: '/mates', search: { open: 'mate-43' } as never });
    expect(await screen.findByRole('heading', { name: /Luc Dion/ })).toBeVisible();
    expect(screen.queryByRole('heading', { name: 'Calendar link' })).toBeNull();
  });

  it('are of one hub at a time', async () => {
    signedInAs('ops');
    server.use(...calendarHandlers(freshCalendar()));
    const { user } = open('/calendar?hub=montreal&part=feed');
    await user.click(await screen.findByRole('button', { name: 'Make a link' }));
    expect((await field()).value).toContain('secret-1');
    await user.selectOptions(screen.getByLabelText('Hub'), 'Toronto');
    expect(await screen.findByText('No link works at the moment.')).toBeVisible();
    expect(screen.queryByLabelText('Link to the calendar')).toBeNull();
    expect(asked()).toEqual(['POST /calendar/montreal/feed']);
  });
});
