import { problem, quoteHandlers, type QuoteWorld, someQuote } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, expect, it } from 'vitest';

import { draftStore } from '../booking/draft/draft-store.ts';
import { emptyDraft } from '../booking/draft/draft.ts';
import { forLink } from '../booking/draft/stored-draft.ts';
import { calls, renderApp, server, useApp, withAddresses, withDate } from './render-app.tsx';

useApp();

const token = 'Abc_-'.repeat(9).slice(0, 43);
const kept = { ...emptyDraft(), ...withDate, locationsConfirmed: true, comments: 'Two cats', tipValue: '20' };
let world: QuoteWorld;

beforeEach(() => {
  world = { mailed: [], answers: [], links: {} };
  server.use(...quoteHandlers(world));
});

const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const asked = () => calls.findLast((call) => call.path === '/api/booking/estimate')?.body as { savedQuote?: string };

async function mail(to: string) {
  const { user } = await renderApp('/quote', { draft: withDate });
  await heading('Check your move');
  const section = within(await screen.findByRole('region', { name: 'Mail me this quote' }));
  await waitFor(() => expect(screen.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh'));
  await user.click(section.getByRole('button', { name: 'Mail me this quote' }));
  const press = () => user.click(section.getByRole('button', { name: 'Mail it' }));
  await user.type(section.getByLabelText('E-mail'), to);
  return { user, section, press };
}

it('mails the quote with what was said, and nothing that is kept or agreed to for now', async () => {
  const { section, press } = await mail('ana@example.test');
  await press();
  expect(
    await section.findByText(/on its way to ana@example.test. Its price holds until .*February 15, 2027/),
  ).toBeVisible();
  expect(world.mailed).toHaveLength(1);
  const { draft } = JSON.parse(world.mailed[0]?.body.draft ?? '') as { draft: Record<string, unknown> };
  expect(draft).toMatchObject({ date: '2027-02-17', hold: null, savedQuote: null, guidelinesAgreed: false });
  expect(world.mailed[0]?.body.bookingRequest).toMatchObject({ date: '2027-02-17' });
  // another price than the one on the screen is refused
  expect(screen.getByTestId('estimate').textContent.replaceAll(',', '')).toContain(
    world.mailed[0]?.body.bookingRequest.expectedTotal,
  );
  expect(JSON.stringify(world.mailed[0]?.body)).not.toContain('holdId');
});

it('sends nothing for an address that is none, and says so', async () => {
  const { section, press } = await mail('ana@');
  await press();
  await waitFor(() => expect(section.getByRole('alert')).toHaveFocus());
  expect(section.getByLabelText('E-mail')).toHaveAccessibleDescription(
    'Enter an e-mail address like name@example.com.',
  );
  expect(world.mailed).toEqual([]);
});

it('says that nothing is sent to who wants no quotes by mail, until another address is typed', async () => {
  const told = { sentTo: 'ana@example.test', total: '447.25', currency: 'CAD', zone: 'America/Toronto' };
  world.answers.push(() =>
    HttpResponse.json({ ...told, validUntil: '2027-02-15T14:00:00Z', withheld: true }, { status: 201 }),
  );
  const { user, section, press } = await mail('ana@example.test');
  await press();
  const said = await section.findByText(/Nothing was sent: ana@example.test asked for no more quotes/);
  await waitFor(() => expect(said.closest('[role="status"]')).toHaveFocus());
  expect(section.queryByText(/is on its way|junk folder/)).toBeNull();
  await user.type(section.getByLabelText('E-mail'), 'x');
  expect(section.queryByText(/Nothing was sent/)).toBeNull();
  await press();
  expect(await section.findByText(/on its way to ana@example.testx/)).toBeVisible();
});

it('is one wish however often it is sent, and tells why it was refused', async () => {
  world.answers.push(
    () => HttpResponse.error(),
    () => problem(429, 'quote_mail_limit', 'Several quotes were mailed within a day already.'),
  );
  const { section, press } = await mail('ana@example.test');
  await press();
  await section.findByRole('alert');
  await press();
  expect(await section.findByText('Several quotes were mailed within a day already.')).toBeVisible();
  expect(world.mailed).toHaveLength(2);
  expect(world.mailed[0]?.key).toBe(world.mailed[1]?.key);
});

it('is another wish once the first was answered', async () => {
  const { user, section, press } = await mail('ana@example.test');
  await press();
  await section.findByText(/on its way/);
  await user.type(section.getByLabelText('E-mail'), 'x{Backspace}');
  await press();
  await waitFor(() => expect(world.mailed).toHaveLength(2));
  expect(world.mailed[0]?.body).toEqual(world.mailed[1]?.body);
  expect(world.mailed[0]?.key).not.toBe(world.mailed[1]?.key);
});

it('leads back to exactly that draft, and asks for its price', async () => {
  world.links[token] = someQuote(forLink(kept));
  const { user, router } = await renderApp(`/saved/${token}`);
  await heading('Here is your quote');
  expect(screen.getByTestId('total')).toHaveTextContent('$447.25');
  expect(screen.queryByText(/takes the place of the move/)).toBeNull();
  expect(document.head.querySelector('meta[name="referrer"]')).toHaveAttribute('content', 'no-referrer');
  await user.click(screen.getByTestId('take-up'));
  await waitFor(() => expect(router.state.location.pathname).toBe('/quote'));
  expect({ ...draftStore.get(), hold: null, startsAt: null, arrivalWindow: null }).toEqual({
    ...kept,
    savedQuote: token,
    startsAt: null,
    arrivalWindow: null,
  });
  await waitFor(() => expect(asked().savedQuote).toBe(token));
});

it('says that another move makes way', async () => {
  world.links[token] = someQuote(forLink(kept));
  await renderApp(`/saved/${token}`, { draft: withAddresses });
  await heading('Here is your quote');
  expect(screen.getByTestId('take-up')).toHaveAccessibleDescription(
    'It takes the place of the move that this browser keeps.',
  );
  expect(draftStore.get().date).toBeNull();
});

it('says that it has lapsed, and goes on at the price of today', async () => {
  world.links[token] = someQuote(forLink(kept), { state: 'lapsed' });
  const { user, router } = await renderApp(`/saved/${token}`);
  await heading('This quote has lapsed');
  await user.click(screen.getByRole('button', { name: 'See what it costs today' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/quote'));
  expect(draftStore.get()).toMatchObject({ savedQuote: null, comments: 'Two cats' });
});

it.each([
  ['nobody has', {}],
  ['leads to what this app cannot read', { [token]: someQuote('{}') }],
])('says that there is nothing when the address %s', async (_, links) => {
  world.links = links;
  await renderApp(`/saved/${token}`);
  expect(await heading('There is no quote at this address')).toBeVisible();
});

it('shows whose price it is, and that another move has the price of today', async () => {
  const holds = '2027-02-15T14:00:00Z';
  const { mockEstimate } = await import('@portage/mock-api');
  const { http } = await import('msw');
  server.use(
    http.post('*/api/booking/estimate', async ({ request }) => {
      const body = (await request.json()) as Parameters<typeof mockEstimate>[0] & {
        savedQuote?: string;
        mateCount: number;
      };
      const mine = body.savedQuote === token && body.mateCount === 2;
      return HttpResponse.json({ ...mockEstimate(body), ...(mine ? { keptUntil: holds } : {}) });
    }),
  );
  await renderApp('/quote', { draft: { ...kept, savedQuote: token } });
  const said = await screen.findByTestId('kept-price');
  expect(said).toHaveTextContent(/price of your mailed quote. It holds until .*February 15, 2027/);
  draftStore.patch({ mateCount: 3 });
  await waitFor(() => expect(screen.getByTestId('kept-price')).toHaveTextContent(/price of today/));
});
