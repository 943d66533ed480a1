import type { Availability } from '@portage/api';
import { queryClient } from '@portage/frame';
import { mockApi, mockFigures, problem } from '@portage/mock-api';
import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { bookingRequest } from '../booking/draft/booking-request.ts';
import { draftStore } from '../booking/draft/draft-store.ts';
import { knownEstimate, routeQuery } from '../booking/estimate/estimate-query.ts';
import {
  calls,
  fromVancouver,
  placedAt,
  renderApp,
  server,
  useApp,
  withAddresses,
  withDate,
  withItems,
} from './render-app.tsx';

useApp();

const heading = (name: string | RegExp) => screen.findByRole('heading', { level: 1, name });

describe('start page', () => {
  it('shows three circles, opens only the first, and leads Next to it', async () => {
    const { user, router } = await renderApp('/');
    await heading('Movers at a fixed price');
    const circles = within(screen.getByRole('list', { name: 'Booking steps' }));
    expect(circles.getAllByRole('link')).toHaveLength(1);
    await user.click(screen.getByRole('link', { name: 'Next' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/locations'));
  });

  it('leads Next to the quote once everything is there', async () => {
    const { user, router } = await renderApp('/', { draft: withDate });
    await user.click(await screen.findByRole('link', { name: 'Next' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/quote'));
  });

  it('starts over only after a question', async () => {
    const { user } = await renderApp('/', { draft: withDate });
    await user.click(await screen.findByRole('button', { name: 'Start over' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Start over' }));
    await waitFor(() => expect(draftStore.get().ends.pickup.place).toBeNull());
  });
});

describe('the stepper', () => {
  it.each([
    ['/locations', withDate, ['current', 'complete', 'complete', 'not complete']],
    ['/move-type', withAddresses, ['complete', 'current', 'not complete', 'The quote opens when']],
    ['/move-type', { ...withDate, editing: 'b1' }, ['complete', 'current', 'complete', 'not complete']],
  ])('calls only the page on screen current: %s', async (path, draft, words) => {
    await renderApp(path, { draft });
    const steps = within(await screen.findByRole('navigation', { name: 'Booking steps' })).getAllByRole('listitem');
    steps.forEach((step, index) => {
      expect(step).toHaveTextContent(words[index] ?? '');
      const here = step.querySelector('[aria-current]');
      expect(here !== null).toBe(words[index] === 'current');
      if (here === null) expect(step).not.toHaveTextContent('current');
    });
  });
});

describe('deep links', () => {
  it.each(['/quote', '/payment'])('from %s land on the first incomplete step and say so', async (path) => {
    const { router } = await renderApp(path, { draft: withAddresses });
    await waitFor(() => expect(router.state.location.pathname).toBe('/move-type'));
    expect(await screen.findByText('You have not finished filling the form.')).toBeVisible();
  });

  it('show the not-found page for anything else', async () => {
    await renderApp('/no-such-page');
    await heading('Upps! This page does not exists!');
    expect(screen.getByRole('link', { name: 'Back home' })).toHaveAttribute('href', '/');
  });
});

describe('locations', () => {
  const nowhere = { area: { served: false, area: null, exact: true } };
  const unserved = placedAt(placedAt(withAddresses, 'pickup', nowhere), 'dropoff', nowhere);

  it('refuses an empty form with a summary that links to each end', async () => {
    const { user } = await renderApp('/locations');
    await heading('Where are you moving?');
    await user.click(screen.getByRole('button', { name: 'Continue to move type' }));
    const summary = await screen.findByRole('alert');
    expect(summary).toHaveFocus();
    expect(within(summary).getByRole('link', { name: /Incomplete pickup details/ })).toBeVisible();
    await user.click(within(summary).getByRole('link', { name: /Incomplete dropoff details/ }));
    expect(screen.getByRole('combobox', { name: 'Dropoff address' })).toHaveFocus();
    expect(document.title).toMatch(/^Error: Step 1 of 4/);
  });

  it('takes what is suggested for the whole text when Enter comes before the suggestions', async () => {
    const { user } = await renderApp('/locations');
    const field = await screen.findByRole('combobox', { name: 'Pickup address' });
    await user.type(field, '4500 laval');
    await screen.findByRole('option', { name: /Saint-Martin/ });
    // the list on screen is of the text before: its first line must not be taken
    await user.clear(field);
    await user.type(field, 'avenue parc{Enter}');
    await waitFor(() => expect(draftStore.get().ends.pickup.place?.address.street).toBe('3575 Avenue du Parc'));
    expect(field).not.toBeInTheDocument();
  });

  it('finds both addresses by keyboard, prices the route and goes on', async () => {
    const { user, router } = await renderApp('/locations');
    await user.type(await screen.findByRole('combobox', { name: 'Pickup address' }), 'avenue parc');
    expect(await screen.findByRole('option', { name: /3575 Avenue du Parc/ })).toBeVisible();
    await user.keyboard('{Enter}');
    await user.type(await screen.findByRole('combobox', { name: 'Dropoff address' }), '4500 laval');
    await screen.findByRole('option', { name: /Saint-Martin/ });
    await user.keyboard('{Enter}');
    expect(await screen.findByText('By truck it is 12.4 km, about 25 min of driving.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Continue to move type' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/move-type'));
    expect(draftStore.get().ends.pickup.place?.coords).toEqual({ lat: 45.511, lon: -73.573 });
    expect(queryClient.getQueryData(routeQuery(draftStore.get()).queryKey)).toEqual({ minutes: 25, km: '12.4' });
  });

  it('asks the search only from three characters on', async () => {
    const { user } = await renderApp('/locations');
    await user.type(await screen.findByRole('combobox', { name: 'Pickup address' }), 'av');
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(calls.filter((call) => call.path === '/api/geo/search')).toEqual([]);
  });

  it('drops from the summary what has been mended, although something else is wrong now', async () => {
    const { user } = await renderApp('/locations');
    await heading('Where are you moving?');
    await user.click(screen.getByRole('button', { name: 'Continue to move type' }));
    expect(await screen.findByRole('link', { name: /Incomplete pickup details/ })).toBeVisible();
    act(() => {
      draftStore.patch(unserved);
    });
    expect(await screen.findByText('We currently do not operate in this area, sorry!')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('link', { name: /Incomplete pickup details/ })).toBeNull());
  });

  it('says at once that two ends outside the areas are not served', async () => {
    const { user } = await renderApp('/locations', {
      draft: unserved,
    });
    expect(await screen.findByText('We currently do not operate in this area, sorry!')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Continue to move type' }));
    expect(await screen.findByRole('link', { name: 'We currently do not operate in this area, sorry!' })).toBeVisible();
  });

  it('says that there is no route', async () => {
    await renderApp('/locations', {
      draft: placedAt(withAddresses, 'dropoff', { coords: { lat: 49.38, lon: -123.37 } }),
    });
    expect(await screen.findByText('No route was found between these two addresses.')).toBeVisible();
  });

  it('takes an address by hand that the search does not know, and says that the place is rough', async () => {
    const { user } = await renderApp('/locations');
    const pickup = within(await screen.findByRole('region', { name: 'Pickup' }));
    await user.click(pickup.getByRole('button', { name: 'Enter address by hand' }));
    await user.type(pickup.getByLabelText('Street number and name'), '99 Rue Inconnue');
    await user.type(pickup.getByLabelText('City'), 'Montréal');
    await user.type(pickup.getByLabelText('Postal code'), 'h2x3p9');
    await user.click(pickup.getByRole('button', { name: 'Use this address' }));
    expect(await screen.findByText(/could not find this exact door/)).toBeVisible();
    expect(draftStore.get().ends.pickup.place?.address).toMatchObject({
      street: '99 Rue Inconnue',
      postalCode: 'H2X 3P9',
    });
  });

  it('has the specified sentence when there is no position', async () => {
    vi.stubGlobal(
      'navigator',
      Object.assign(navigator, { geolocation: { getCurrentPosition: (_: unknown, fail: () => void) => fail() } }),
    );
    const { user } = await renderApp('/locations');
    await user.click(await screen.findByRole('button', { name: 'Use my location' }));
    expect(await screen.findByText('coordinates unavailable, defaulting to Montreal.')).toBeVisible();
  });
});

describe('move type', () => {
  it('needs one item', async () => {
    const { user } = await renderApp('/move-type', { draft: withAddresses });
    await heading('What kind of move is it?');
    await screen.findByRole('searchbox', { name: 'Search furniture' });
    await user.click(screen.getByRole('button', { name: 'Continue to schedule' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Choose at least one item to move.');
  });

  it('searches without accents in the language on screen', async () => {
    const { user } = await renderApp('/move-type', { draft: withAddresses, language: 'fr' });
    await user.type(await screen.findByRole('searchbox', { name: 'Chercher un meuble' }), 'refrigerateur');
    expect(await screen.findByText('Réfrigérateur standard')).toBeVisible();
    expect(screen.queryByText('Causeuse (2 places)')).not.toBeInTheDocument();
  });

  it('starts from a preset, counts, and shows the price with each tax on its own line', async () => {
    const { user } = await renderApp('/move-type', { draft: withAddresses });
    await user.click(await screen.findByRole('button', { name: 'Studio' }));
    expect((await screen.findAllByText('13 items')).length).toBeGreaterThan(0);
    await waitFor(() => expect(screen.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh'), {
      timeout: 3000,
    });
    await user.click(screen.getByTestId('estimate'));
    const details = await screen.findByRole('dialog');
    expect(within(details).getByText('GST')).toBeVisible();
    expect(within(details).getByText('QST')).toBeVisible();
    expect(document.body.textContent).not.toContain('14.975');
    expect(document.body.textContent).not.toContain('$0.00');
  });

  it('stops a heavy item with one mate, and goes on once the customer helps', async () => {
    const { user, router } = await renderApp('/move-type', {
      draft: { ...withItems, mateCount: 1, numberOfHelpers: 1 },
    });
    const warning = /too large for a single mate to handle/;
    expect(await screen.findByText(warning)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Continue to schedule' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(warning);
    await user.click(screen.getByRole('button', { name: 'I will help carry' }));
    await user.click(screen.getByRole('button', { name: 'Continue to schedule' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/schedule'));
  });

  it('lets the crew grow to what the rate card says, the customer included', async () => {
    server.use(
      http.get('*/api/rates/active', () =>
        HttpResponse.json({ id: 'r', name: 'standard', version: 2, currency: 'CAD', max_online_heads: 3 }),
      ),
    );
    const { user } = await renderApp('/move-type', { draft: { ...withItems, mateCount: 2 } });
    expect(await screen.findByRole('radio', { name: /^3 mates/ })).toBeEnabled();
    await waitFor(() => expect(screen.queryByRole('radio', { name: /^4 mates/ })).toBeNull());
    await user.click(screen.getByRole('checkbox', { name: /I will help/ }));
    await waitFor(() => expect(screen.queryByRole('radio', { name: /^3 mates/ })).toBeNull());
  });

  it('compares the crews by price, time and end, and says which is better', async () => {
    const { user } = await renderApp('/move-type', {
      draft: {
        ...withItems,
        selectedFurnitures: [{ id: 'box-large-4-5', quantity: 160 }],
        mateCount: 2,
        time: '08:00',
      },
    });
    const two = await screen.findByRole('radio', { name: /^2 mates.*\$/ });
    expect(two).toBeChecked();
    const three = screen.getByRole('radio', { name: /^3 mates/ });
    const card = three.closest('label');
    // the stand-in's arithmetic: 720 cubic feet take 7 h 15 with two and 5 h with three
    expect(card?.textContent).toMatch(/5 h/);
    expect(card?.textContent).toMatch(/Start 8:00.*done about 1:00/);
    expect(screen.getByRole('radio', { name: /^4 mates/ }).closest('label')).toHaveTextContent('Fastest');
    expect(screen.getByText(/mates? costs? \$[\d.,]+ less and (?:is|are) done .+ earlier/)).toBeVisible();
    await user.click(three);
    await waitFor(() => expect(draftStore.get().mateCount).toBe(3));
  });

  it('says which crew is refused, and because of which piece', async () => {
    await renderApp('/move-type', {
      draft: { ...withItems, selectedFurnitures: [{ id: 'piano-upright', quantity: 1 }], mateCount: 3 },
    });
    const two = await screen.findByRole('radio', { name: /^2 mates.*Refused because of: Upright piano/ });
    expect(two).not.toBeChecked();
    expect(screen.getByRole('radio', { name: /^3 mates/ }).closest('label')).not.toHaveTextContent('Refused');
  });

  it('offers the larger crew that may be booked instead of sending people to support', async () => {
    const { user } = await renderApp('/move-type', {
      draft: {
        ...withItems,
        selectedFurnitures: [{ id: 'piano-baby-grand', quantity: 1 }],
        mateCount: 2,
        numberOfHelpers: 2,
      },
    });
    expect(await screen.findByText('At least 4 mates are needed for this move.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Choose 4 mates' }));
    await waitFor(() => expect(draftStore.get().mateCount).toBe(4));
    // the button is gone, and the focus with what it chose
    await waitFor(() => expect(screen.getByRole('radio', { name: /^4 mates/ })).toHaveFocus());
    await waitFor(() => expect(screen.queryByText('At least 4 mates are needed for this move.')).toBeNull());
  });

  it('proposes the smallest crew that may be booked, says so, and takes it back with the piece', async () => {
    const piano = [{ id: 'piano-baby-grand', quantity: 1 }];
    await renderApp('/move-type', { draft: { ...withItems, selectedFurnitures: piano } });
    const said = /^This move needs at least 4 mates, so we chose that many/;
    expect(await screen.findByText(said)).toBeVisible();
    expect(screen.getByRole('radio', { name: /^4 mates/ })).toBeChecked();
    // nobody chose it: a smaller list needs no large crew
    act(() => draftStore.patch({ selectedFurnitures: withItems.selectedFurnitures ?? [] }));
    await waitFor(() => expect(draftStore.get().mateCount).toBe(2));
    expect(screen.queryByText(said)).toBeNull();
    // and a larger one a larger crew; a press that comes before waits for that (e2e/tests/points-crew.spec.ts)
    act(() => draftStore.patch({ selectedFurnitures: piano }));
    await waitFor(() => expect(draftStore.get().mateCount).toBe(4));
    expect(draftStore.get().numberOfHelpers).toBe(0);
  });

  it('leaves a crew that somebody chose as it is', async () => {
    const { user } = await renderApp('/move-type', { draft: withItems });
    await user.click(await screen.findByRole('radio', { name: /^1 mate.*\$/ }));
    act(() => draftStore.patch({ clientAsMate: true, selectedFurnitures: [{ id: 'piano-upright', quantity: 1 }] }));
    expect(await screen.findByText('At least 3 mates are needed for this move.')).toBeVisible();
    expect(draftStore.get().mateCount).toBe(1);
  });

  it('shows crews without a price while they cannot be compared', async () => {
    server.use(http.post('*/api/booking/crews', () => new HttpResponse(null, { status: 500 })));
    await renderApp('/move-type', { draft: withItems });
    expect(
      await screen.findByText('The prices of the crews could not be compared.', undefined, { timeout: 5000 }),
    ).toBeVisible();
    expect(screen.getByRole('radio', { name: '2 mates' })).toBeChecked();
  });

  it('lets rooms propose a list, and never takes what was chosen', async () => {
    const { user } = await renderApp('/move-type', { draft: withAddresses });
    await user.click(await screen.findByRole('button', { name: 'One bedroom' }));
    await user.click(screen.getByRole('button', { name: 'One more: Home office' }));
    // nobody has touched the list: it follows the rooms
    await waitFor(() =>
      expect(draftStore.get().selectedFurnitures).toEqual(
        expect.arrayContaining([
          { id: 'desk-small', quantity: 1 },
          { id: 'box-medium-3-1', quantity: 21 },
        ]),
      ),
    );
    expect(screen.getByRole('button', { name: 'One bedroom' })).toHaveAttribute('aria-pressed', 'true');
    await user.type(screen.getByRole('searchbox', { name: 'Search furniture' }), 'sofa');
    await user.click(screen.getByRole('button', { name: 'One more: Couch, 3 seats' }));
    const studio = screen.getByRole('button', { name: 'Studio' });
    await user.click(studio);
    // proposed is not chosen
    expect(studio).toHaveAttribute('aria-pressed', 'false');
    const own = draftStore.get().selectedFurnitures;
    expect(own).toContainEqual({ id: 'couch-3-seats', quantity: 2 });
    await user.click(await screen.findByRole('button', { name: /^Add the \d+ missing pieces$/ }));
    await waitFor(() => expect(draftStore.get().selectedFurnitures.length).toBeGreaterThan(own.length));
    for (const { id, quantity } of own)
      expect(draftStore.get().selectedFurnitures.find((item) => item.id === id)?.quantity).toBeGreaterThanOrEqual(
        quantity,
      );
    expect(studio).toHaveAttribute('aria-pressed', 'true');
    const back = screen.getByRole('button', { name: 'Bring my list back' });
    await waitFor(() => expect(document.activeElement).toContainElement(back));
    expect(document.activeElement).not.toBe(document.body);
    await user.click(back);
    expect(screen.getByRole('group', { name: 'Start from a home like yours' })).toHaveFocus();
    expect(studio).toHaveAttribute('aria-pressed', 'false');
    expect(draftStore.get().selectedFurnitures).toEqual(own);
  });

  it('asks about taking apart as a whole and by piece, and about services beside the move', async () => {
    const { user } = await renderApp('/move-type', {
      draft: { ...withItems, selectedFurnitures: [{ id: 'bed-frame-queen', quantity: 1 }] },
    });
    const asked = () => calls.filter((call) => call.path === '/api/booking/estimate').at(-1)?.body;
    await user.click(await screen.findByRole('button', { name: 'Bedroom / bathroom 1 item' }));
    await user.click(screen.getByRole('checkbox', { name: 'Bed frame, queen: take apart and put together' }));
    expect(draftStore.get().selectedFurnitures).toEqual([{ id: 'bed-frame-queen', quantity: 1, assembly: false }]);
    await waitFor(() =>
      expect(asked()).toMatchObject({
        selectedFurnitures: { furnitures: [{ id: 'bed-frame-queen', assembly: false }] },
      }),
    );
    await user.click(screen.getByRole('checkbox', { name: 'Bed frame, queen: take apart and put together' }));
    expect(draftStore.get().selectedFurnitures).toEqual([{ id: 'bed-frame-queen', quantity: 1 }]);
    await user.click(screen.getByText('Anything else?'));
    await user.click(screen.getByRole('checkbox', { name: 'Take furniture apart and put it together' }));
    await user.click(screen.getByRole('checkbox', { name: 'TV mounting' }));
    await user.click(screen.getByRole('checkbox', { name: 'Packing' }));
    await waitFor(() => expect(asked()).toMatchObject({ assembly: false, extraServices: ['packing', 'tvMounting'] }));
    expect(screen.queryByRole('checkbox', { name: /Bed frame, queen/ })).toBeNull();
    expect(await screen.findByText(/^TV mounting: not in the price/)).toBeVisible();
    expect(bookingRequest(draftStore.get())).toMatchObject({
      assembly: false,
      extraServices: ['packing', 'tvMounting'],
    });
  });

  it('takes a piece that is in no list in one of its sizes, with the words for the crew', async () => {
    const { user } = await renderApp('/move-type', { draft: withAddresses });
    await user.type(await screen.findByRole('searchbox', { name: 'Search furniture' }), 'harpsichord');
    expect(await screen.findByText(/Nothing in the list is called “harpsichord”/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'One more: Your own item, large' }));
    await user.type(await screen.findByRole('textbox', { name: 'What is it?' }), 'A harpsichord');
    expect(bookingRequest(draftStore.get())).toMatchObject({
      comments: 'A harpsichord',
      selectedFurnitures: [{ id: 'own-large', quantity: 1 }],
    });
  });

  it('on a phone opens the list of pieces over the page, with what is chosen first', async () => {
    onTestFinished(() => void vi.restoreAllMocks());
    const { matchMedia } = window;
    vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
      Object.assign(matchMedia(query), { matches: query.includes('max-width: 36em') }),
    );
    const { user } = await renderApp('/move-type', { draft: withAddresses });
    // none chosen: the button has the error, and what is wrong leads to it
    await screen.findByRole('button', { name: 'Choose piece by piece' });
    expect(screen.queryByRole('searchbox')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Continue to schedule' }));
    await user.click(await screen.findByRole('link', { name: /Choose at least one item to move\./ }));
    const open = screen.getByRole('button', { name: 'Choose piece by piece' });
    expect(open).toHaveFocus();
    expect(open).toHaveAccessibleDescription('Choose at least one item to move.');
    await user.click(open);
    const sheet = within(await screen.findByRole('dialog', { name: 'Your furniture' }));
    await user.type(sheet.getByRole('searchbox', { name: 'Search furniture' }), 'piano');
    await user.click(sheet.getByRole('button', { name: 'One more: Upright piano' }));
    await user.click(sheet.getByRole('button', { name: 'Close the list' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(draftStore.get().selectedFurnitures).toEqual([{ id: 'piano-upright', quantity: 1 }]);
    const again = screen.getByRole('button', { name: 'Look at the 1 item or change it' });
    await waitFor(() => expect(again).toHaveFocus());
    await user.click(again);
    const list = within(await screen.findByRole('dialog', { name: 'Your furniture' }));
    expect(list.getByRole('region', { name: 'Show only what I chose' })).toBeVisible();
    expect(list.getAllByRole('button', { name: /^One more: Upright/ })).toHaveLength(1);
    expect(list.queryByRole('group', { name: 'Kinds of furniture' })).toBeNull();
    // the last piece goes: the groups are back, and the focus is not lost
    list.getByRole('button', { name: 'One less: Upright piano' }).focus();
    await user.keyboard('{Enter}');
    expect(await list.findByRole('group', { name: 'Kinds of furniture' })).toBeVisible();
    await waitFor(() => expect(document.activeElement).not.toBe(document.body));
  });

  it('sends people with too much to support', async () => {
    await renderApp('/move-type', { draft: { ...withItems, selectedFurnitures: [{ id: 'hot-tub', quantity: 1 }] } });
    expect(await screen.findByText(/contact our support team by chat/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Write to help@portage.test' })).toHaveAttribute(
      'href',
      'mailto:help@portage.test',
    );
  });

  it('keeps the last good price marked out of date when the next one fails', async () => {
    const { user } = await renderApp('/move-type', { draft: withItems });
    await waitFor(() => expect(screen.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh'), {
      timeout: 3000,
    });
    const before = knownEstimate(draftStore.generation)?.amount;
    expect(before).toBeTruthy();
    server.use(http.post('*/api/booking/estimate', () => new HttpResponse(null, { status: 500 })));
    await user.click(screen.getByRole('radio', { name: /^3 mates/ }));
    await waitFor(() => expect(screen.getByTestId('estimate')).toHaveAttribute('data-phase', 'stale'), {
      timeout: 6000,
    });
    expect(screen.getByTestId('estimate')).toHaveTextContent('Out of date');
    expect(screen.getByTestId('estimate')).toHaveTextContent(`$${before}`);
    expect(knownEstimate(draftStore.generation)?.amount).toBe(before);
  });
});

describe('schedule', () => {
  const open = async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-02-10T15:00:00Z') });
    const app = await renderApp('/schedule', { draft: { ...withItems } });
    await heading('When do you want to move?');
    const day = await screen.findByRole('button', { name: /Wednesday, February 17, 2027, 1\d start times/ });
    return { ...app, day };
  };

  it('disables past and full days with their reason', async () => {
    await open();
    expect(screen.getByRole('button', { name: 'Tuesday, February 9, 2027, in the past' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    expect(screen.getByRole('button', { name: 'Saturday, February 13, 2027, no start time left' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    vi.useRealTimers();
  });

  /** The last day of February: nothing can be booked before 2 March. Answers once `ready` has come. */
  const endOfMonth = (ready: Promise<void> = Promise.resolve()) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-02-28T15:00:00Z') });
    server.use(
      http.get('*/api/availability', async ({ request }) => {
        await ready;
        const answer = (await (await mockApi(request)).json()) as Availability;
        const days = answer.days.map((day) => (day.date < '2027-03-02' ? { ...day, slots: [] } : day));
        return HttpResponse.json({ ...answer, days });
      }),
    );
    return renderApp('/schedule', { draft: { ...withItems } });
  };

  it('opens in the next month when nothing of this one is left, and turns back', async () => {
    const { user } = await endOfMonth();
    expect(await screen.findByRole('heading', { level: 2, name: 'March 2027' })).toBeVisible();
    expect(await screen.findByRole('button', { name: /^Tuesday, March 2, 2027, 1\d start times/ })).toBeVisible();
    expect(screen.queryByText(/^Nothing can be booked/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Previous month' }));
    expect(await screen.findByRole('heading', { level: 2, name: 'February 2027' })).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Sunday, February 28, 2027, no start time left' })).toBeVisible();
    const none = screen.getByText('Nothing can be booked in February 2027.');
    expect(none).toBeVisible();
    expect(none).toHaveAttribute('role', 'status');
    await user.click(screen.getByRole('button', { name: 'Show March 2027' }));
    expect(await screen.findByRole('heading', { level: 2, name: 'March 2027' })).toBeVisible();
    expect(screen.getByRole('button', { name: /^Monday, March 1, 2027/ })).toHaveFocus();
    expect(screen.queryByText(/^Nothing can be booked/)).toBeNull();
    vi.useRealTimers();
  });

  it('stays where it is while a day of this month has the focus', async () => {
    let answer = () => {};
    const { user } = await endOfMonth(new Promise<void>((done) => (answer = done)));
    const today = await screen.findByRole('button', { name: /^Sunday, February 28, 2027/ });
    today.focus();
    answer();
    await screen.findByRole('button', { name: 'Sunday, February 28, 2027, no start time left' });
    expect(today).toHaveFocus();
    await user.keyboard('{PageDown}');
    await waitFor(() => expect(screen.getByRole('button', { name: /^Sunday, March 28, 2027/ })).toHaveFocus());
    vi.useRealTimers();
  });

  it('shows what the move costs on each day, marks the cheapest and names the dear ones', async () => {
    const { user } = await open();
    const saturday = await screen.findByRole(
      'button',
      { name: /^Saturday, February 20.*with taxes, Saturday$/ },
      { timeout: 4000 },
    );
    const wednesday = screen.getByRole('button', { name: /^Wednesday, February 17.*with taxes, lowest price$/ });
    expect(screen.getByText('Saturday × 1.10: 20, 27')).toBeInTheDocument();
    // weeks that are over are not there
    expect(screen.queryByRole('button', { name: /^Saturday, February 6/ })).toBeNull();
    const dollars = (day: HTMLElement) =>
      /\$([\d,]+\.\d\d) with taxes/.exec(day.getAttribute('aria-label') ?? '')?.[1] ?? '';
    expect(Number(dollars(saturday))).toBeGreaterThan(Number(dollars(wednesday)));

    // the price of the day is the price of the move as soon as the day is chosen, and after the hour
    const header = screen.getByTestId('estimate');
    await user.click(saturday);
    expect(await screen.findByText(`$${dollars(saturday)} with taxes · Saturday`)).toBeVisible();
    await waitFor(() => expect(header).toHaveTextContent(`$${dollars(saturday)}`), { timeout: 3000 });
    await user.click(await screen.findByRole('radio', { name: '9:00\u00A0a.m.' }));
    expect(await screen.findByText('This start is kept for you for 15 more minutes.')).toBeVisible();
    expect(header).toHaveTextContent(`$${dollars(saturday)}`);

    // the prices of the days do not depend on the chosen one: they are not asked for again, and do not go away meanwhile
    await act(() => new Promise((done) => setTimeout(done, 500)));
    expect(calls.filter((call) => call.path === '/api/booking/prices')).toHaveLength(1);
    expect(saturday.getAttribute('aria-label')).toContain(`$${dollars(saturday)}`);
    vi.useRealTimers();
  });

  it('goes on without prices where they cannot be had', async () => {
    server.use(http.post('*/api/booking/prices', () => new HttpResponse(null, { status: 500 })));
    const { user, day } = await open();
    await user.click(day);
    expect(await screen.findByRole('radio', { name: '9:00\u00A0a.m.' })).toBeEnabled();
    expect(day.getAttribute('aria-label')).not.toContain('$');
    vi.useRealTimers();
  });

  it('holds the chosen start and says until when', async () => {
    const { user, day } = await open();
    await user.click(day);
    await user.click(await screen.findByRole('radio', { name: '9:00\u00A0a.m.' }));
    expect(await screen.findByText('This start is kept for you for 15 more minutes.')).toBeVisible();
    expect(draftStore.get()).toMatchObject({ date: '2027-02-17', time: '09:00', hold: { minutes: 15 } });
    const hold = calls.find((call) => call.path === '/api/holds');
    expect(hold?.headers.get('Idempotency-Key')).toBeTruthy();
    // the server's estimate decides how large the hold is
    expect(hold?.body).toMatchObject({
      estimate: { mateCount: 2, selectedFurnitures: { furnitures: withItems.selectedFurnitures } },
    });
    vi.useRealTimers();
  });

  it('offers the nearest starts when somebody was faster, and keeps everything else', async () => {
    const { user, day } = await open();
    await user.click(day);
    await user.click(await screen.findByRole('radio', { name: '8:30\u00A0a.m.' }));
    expect(
      await screen.findByText('The time you are booking is not available anymore. Please schedule another time.'),
    ).toBeVisible();
    await user.click(await screen.findByRole('button', { name: /Feb.* 17, 8:00\u00A0a\.m\./ }));
    await waitFor(() => expect(draftStore.get()).toMatchObject({ date: '2027-02-17', time: '08:00', lostSlot: null }));
    expect(draftStore.get().selectedFurnitures).toEqual(withItems.selectedFurnitures);
    vi.useRealTimers();
  });

  it.each([
    ['past', { date: '2027-02-03' }, 'date_past', 'This date or time has already passed.'],
    ['closed', { date: '2027-12-25' }, 'date_closed', 'We are closed on this day.'],
    ['too far ahead', { date: '2028-05-02' }, 'too_far_ahead', 'We do not take bookings that far ahead yet.'],
    ['not offered', { time: '09:10' }, 'not_a_slot', 'Moves do not start at this time.'],
  ])('takes a kept start that is %s out of the draft, with the server’s reason', async (_, kept, code, detail) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-02-10T15:00:00Z') });
    server.use(http.post('*/api/holds', () => problem(422, code, detail)));
    await renderApp('/schedule', { draft: { ...withDate, ...kept } });
    const notice = (await screen.findByText(detail)).closest('[data-tone]');
    expect(notice).toHaveAttribute('data-tone', 'warning');
    expect(document.querySelector('[data-tone="success"]')).toBeNull();
    expect(draftStore.get()).toMatchObject({
      time: null,
      hold: null,
      selectedFurnitures: withItems.selectedFurnitures,
    });
    vi.useRealTimers();
  });

  it('leaves a kept start that is still offered alone', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-02-10T15:00:00Z') });
    await renderApp('/schedule', { draft: withDate });
    await screen.findByRole('radio', { name: '9:00\u00A0a.m.' });
    expect(document.querySelector('[data-tone="success"]')).not.toBeNull();
    expect(calls.some((call) => call.path === '/api/holds')).toBe(false);
    vi.useRealTimers();
  });

  it('leads to the ends of a month and to the same day of others, and leaves a button its focus', async () => {
    const { user, day } = await open();
    const focused = (name: RegExp) => waitFor(() => expect(screen.getByRole('button', { name })).toHaveFocus());
    day.focus();
    await user.keyboard('{End}');
    await focused(/^Sunday, February 28, 2027/);
    await user.keyboard('{PageDown}{End}');
    await focused(/^Wednesday, March 31, 2027/);
    await user.keyboard('{PageDown}');
    await focused(/^Friday, April 30, 2027/);
    await user.keyboard('{Home}{Home}');
    await focused(/^Thursday, April 1, 2027/);
    // what was pressed keeps the focus, also where it leads no further
    const next = screen.getByRole('button', { name: 'Next month' });
    await user.click(next);
    await screen.findByRole('heading', { level: 2, name: 'May 2027' });
    expect(next).toHaveFocus();
    const previous = screen.getByRole('button', { name: 'Previous month' });
    previous.focus();
    await user.keyboard('{Enter}{Enter}{Enter}{Enter}');
    await screen.findByRole('heading', { level: 2, name: 'February 2027' });
    expect(previous).toHaveFocus();
    expect(previous).toHaveAttribute('aria-disabled', 'true');
    vi.useRealTimers();
  });

  it('moves through the days by arrow keys', async () => {
    const { user, day } = await open();
    day.focus();
    await user.keyboard('{ArrowRight}{ArrowDown}');
    await waitFor(() => expect(screen.getByRole('button', { name: /Thursday, February 25, 2027/ })).toHaveFocus());
    vi.useRealTimers();
  });

  it('shows the time at the pickup large and Montreal’s below it where they differ', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-02-10T15:00:00Z') });
    const vancouver = {
      ...fromVancouver(withItems),
    };
    const { user } = await renderApp('/schedule', { draft: vancouver });
    await user.click(await screen.findByRole('button', { name: /Wednesday, February 17, 2027, 1\d start times/ }));
    expect(
      await screen.findByRole('radio', { name: /^9:00\u00A0a\.m\.\s?11:00\u00A0a\.m\. in Montreal$/ }),
    ).toBeInTheDocument();
    expect(screen.queryByText('Times are shown in Montreal time.')).toBeNull();
    vi.useRealTimers();
  });
});

describe('quote', () => {
  const ready = async () =>
    waitFor(() => expect(screen.getByTestId('estimate')).toHaveAttribute('data-phase', 'fresh'));

  it('leads back to the schedule when the kept date has become too soon', async () => {
    server.use(http.post('*/api/holds', () => problem(422, 'too_soon', 'This is too soon to send a crew.')));
    const { router } = await renderApp('/quote', { draft: withDate });
    await waitFor(() => expect(router.state.location.pathname).toBe('/schedule'));
    expect(await screen.findByText('This is too soon to send a crew.')).toBeVisible();
    expect(draftStore.get()).toMatchObject({ time: null, selectedFurnitures: withItems.selectedFurnitures });
  });

  it('shows every answer with its way back', async () => {
    await renderApp('/quote', { draft: withDate });
    await heading('Check your move');
    for (const name of ['Pickup', 'Dropoff', 'Move and crew', 'Items', 'Date and time'])
      expect(screen.getByRole('link', { name: `Change: ${name}` })).toBeVisible();
  });

  it('applies a code, refuses an unknown one in the exact words, and replaces only after a question', async () => {
    const { user } = await renderApp('/quote', { draft: withDate });
    await ready();
    const field = screen.getByRole('textbox', { name: 'Discount code' });
    await user.type(field, 'NOPE');
    const shown = vi.spyOn(Element.prototype, 'scrollIntoView');
    await user.click(screen.getByRole('button', { name: 'Apply' }));
    expect(await screen.findByText('Discount code does not exists or has already expired!')).toBeVisible();
    expect(field).toHaveFocus();
    // what is said below the field comes out from under the bar
    expect(shown.mock.contexts.at(-1)).toContainElement(screen.getByText(/^Discount code does not exists/));
    shown.mockRestore();
    expect(field).toHaveAccessibleDescription('Discount code does not exists or has already expired!');
    await user.clear(field);
    await user.type(field, 'WELCOME10{Enter}');
    await waitFor(() => expect(draftStore.get().discountCode).toBe('WELCOME10'));
    // a code that does not exist is no question
    await user.type(field, 'NOPE{Enter}');
    expect(await screen.findByText('Discount code does not exists or has already expired!')).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
    await user.clear(field);
    await user.type(field, 'WINTER5{Enter}');
    const dialog = await screen.findByRole('dialog', {
      name: 'A discount code is already applied. Replace it with WINTER5?',
    });
    await user.click(within(dialog).getByRole('button', { name: 'Replace' }));
    await waitFor(() => expect(draftStore.get().discountCode).toBe('WINTER5'));
    await user.click(await screen.findByRole('button', { name: 'Remove WINTER5' }));
    expect(draftStore.get().discountCode).toBeNull();
    expect(field).toHaveFocus();
  });

  it('adds a tip with a comma to the running price', async () => {
    const { user } = await renderApp('/quote', { draft: withDate });
    await ready();
    await user.type(await screen.findByRole('textbox', { name: /Tip in dollars/ }), '20,50');
    await waitFor(() => expect(screen.getByTestId('estimate')).toHaveTextContent('$350.50'));
  });

  it('asks which one when the survey answer needs it, and what a tip is', async () => {
    const { user, router } = await renderApp('/quote', { draft: withDate });
    await ready();
    await user.selectOptions(screen.getByRole('combobox', { name: /How did you hear/ }), 'Social media (specify)');
    await user.type(screen.getByRole('textbox', { name: /Tip in dollars/ }), 'lots');
    await user.click(screen.getByRole('button', { name: 'Continue to guidelines' }));
    const summary = await screen.findByRole('alert');
    expect(within(summary).getByText('Please specify how did you hear about the product?')).toBeVisible();
    expect(within(summary).getByText('The tip must be an amount in dollars.')).toBeVisible();
    await user.type(screen.getByRole('textbox', { name: 'Which one?' }), 'a forum');
    await user.clear(screen.getByRole('textbox', { name: /Tip in dollars/ }));
    await user.click(screen.getByRole('button', { name: 'Continue to guidelines' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/guidelines'));
  });

  it('goes back to the schedule when the start is gone, with everything else kept', async () => {
    const { router } = await renderApp('/quote', { draft: { ...withDate, time: '08:30' } });
    await waitFor(() => expect(router.state.location.pathname).toBe('/schedule'));
    expect(
      await screen.findByText('The time you are booking is not available anymore. Please schedule another time.'),
    ).toBeVisible();
  });
});

describe('guidelines', () => {
  it('shows the dates of this booking, needs the agreement, and lets guests read on', async () => {
    const { user, router } = await renderApp('/guidelines', { draft: withDate });
    await heading('How payment and cancellation work');
    await user.click(await screen.findByRole('button', { name: 'Continue as a guest' }));
    expect(await screen.findByText(/^For you: \$[\d.]+ on /)).toBeVisible();
    expect(screen.getByText(/^For you: \$[\d.]+ is kept from February 15, 2027, 9:00 a\.m\.$/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Continue to payment' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Agree to the guidelines to continue.');
    await user.click(screen.getByRole('checkbox', { name: 'I have read and agree to these guidelines' }));
    await user.click(screen.getByRole('button', { name: 'Continue to payment' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/payment'));
    expect(draftStore.get()).toMatchObject({ guidelinesAgreed: true, agreedPolicy: mockFigures.version });
  });
});

describe('shell', () => {
  it('switches language everywhere without losing the page', async () => {
    const { user } = await renderApp('/locations');
    await user.click(await screen.findByRole('button', { name: 'Language: English' }));
    await user.click(await screen.findByRole('menuitemradio', { name: /FR/ }));
    await heading('D’où à où déménagez-vous?');
    expect(document.documentElement.lang).toBe('fr-CA');
    await waitFor(() => expect(document.title).toContain('Étape 1 sur 4'));
  });

  it('says that a booking is being edited, with every step open', async () => {
    const { user, router } = await renderApp('/move-type', { draft: { ...withDate, editing: 'b-1' } });
    expect(await screen.findByText('You are editing a booking.')).toBeVisible();
    const steps = within(screen.getByRole('navigation', { name: 'Booking steps' }));
    // four circles, back and next
    expect(steps.getAllByRole('link')).toHaveLength(6);
    await user.click(screen.getByRole('link', { name: 'Close' }));
    await waitFor(() => expect(draftStore.get().editing).toBeNull());
    expect(router.state.location.pathname).toBe('/profile/bookings/b-1');
  });

  it('asks before a booking in progress is left, and stays when told to', async () => {
    const { user, router } = await renderApp('/locations', { draft: withAddresses });
    await heading('Where are you moving?');
    void router.navigate({ href: '/profile' });
    const dialog = await screen.findByRole('dialog', { name: 'Your booking is not finished. Leave this page anyway?' });
    await user.click(within(dialog).getByRole('button', { name: 'Stay on this page' }));
    expect(router.state.location.pathname).toBe('/locations');
  });

  it.each([
    ['/locations', 1],
    ['/move-type', 2],
    ['/schedule', 3],
    ['/quote', 4],
    ['/guidelines', 4],
  ])('the title of %s counts the steps that the stepper shows', async (path, n) => {
    await renderApp(path, { draft: withDate });
    await screen.findByRole('heading', { level: 1 });
    const steps = within(screen.getByRole('navigation', { name: 'Booking steps' })).getAllByRole('listitem');
    await waitFor(() => expect(document.title).toMatch(new RegExp(`^Step ${n} of ${steps.length}: `)));
    expect(steps.map((step) => step.querySelector('[aria-current]') !== null)).toEqual(
      steps.map((_, index) => index === n - 1),
    );
  });

  it('moves the focus to the heading of the next page and announces it', async () => {
    const { user } = await renderApp('/', { draft: { ...withAddresses, locationsConfirmed: true } });
    await heading('Movers at a fixed price');
    await user.click(screen.getByRole('link', { name: 'Next' }));
    const title = await heading('What kind of move is it?');
    await waitFor(() => expect(title).toHaveFocus());
    await waitFor(() =>
      expect(screen.getByTestId('announcer')).toHaveTextContent('Step 2 of 4: What kind of move is it?'),
    );
  });
});
