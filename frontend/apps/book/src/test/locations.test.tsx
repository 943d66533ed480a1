import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';

import { draftStore } from '../booking/draft/draft-store.ts';
import { bookingRequest } from '../booking/draft/booking-request.ts';
import { emptyDraft } from '../booking/draft/draft.ts';
import { changeEnd } from '../booking/draft/ends.ts';
import { renderApp, server, useApp, withAddresses } from './render-app.tsx';

useApp();

describe('a floor out of range', () => {
  const tooDeep = { ...withAddresses, ...changeEnd({ ...emptyDraft(), ...withAddresses }, 'pickup', { floor: -5 }) };
  it('is refused in the language on screen', async () => {
    const { user } = await renderApp('/locations', { draft: tooDeep, language: 'fr' });
    await user.click(await screen.findByRole('button', { name: 'Continuer vers le type de déménagement' }));
    expect(await screen.findByText('Étage n’est pas valide.')).toBeVisible();
    await waitFor(() => expect(screen.queryByText(/Invalid|Too small/)).toBeNull());
  });
});

const incomplete =
  'You need to input a complete address: (...street number, street name, city, postal code, province, country)';
const goOn = () => screen.getByRole('button', { name: 'Continue to move type' });
const pickup = async () => within(await screen.findByRole('region', { name: 'Pickup' }));

describe('an address begun and not taken', () => {
  it('is asked for in full, in the words of the specification', async () => {
    const { user } = await renderApp('/locations');
    const field = await screen.findByRole('combobox', { name: 'Pickup address' });
    await user.type(field, 'rue Peel, Montréal');
    await user.click(goOn());
    expect(await screen.findByRole('link', { name: `Incomplete pickup details. ${incomplete}` })).toBeVisible();
    expect(field).toHaveAccessibleDescription(incomplete);
    // nothing was typed here: choosing is what is missing
    expect(screen.getByRole('combobox', { name: 'Dropoff address' })).toHaveAccessibleDescription(
      'Choose an address from the list or enter it by hand.',
    );
  });

  it('is kept over leaving the page, and on the way to the fields by hand and back', async () => {
    const first = await renderApp('/locations');
    await first.user.type(await screen.findByRole('combobox', { name: 'Pickup address' }), '99 rue Inconnue');
    await first.user.click((await pickup()).getByRole('button', { name: 'Enter address by hand' }));
    expect((await pickup()).getByLabelText('Street number and name')).toHaveValue('99 rue Inconnue');
    await first.user.type((await pickup()).getByLabelText('City'), 'Laval');
    await first.user.click((await pickup()).getByRole('button', { name: 'Back to search' }));
    expect(screen.getByRole('combobox', { name: 'Pickup address' })).toHaveValue('99 rue Inconnue');
    await first.user.click((await pickup()).getByRole('button', { name: 'Enter address by hand' }));
    expect((await pickup()).getByLabelText('City')).toHaveValue('Laval');
    first.unmount();
    await renderApp('/locations');
    expect((await pickup()).getByLabelText('City')).toHaveValue('Laval');
    expect((await pickup()).getByLabelText('Street number and name')).toHaveValue('99 rue Inconnue');
  });
});

describe('an address to be changed', () => {
  it('stays in sight and can be kept, but is not taken silently for another one begun', async () => {
    const { user, router } = await renderApp('/locations', { draft: withAddresses });
    await user.click(await screen.findByRole('button', { name: 'Change: Pickup address' }));
    expect(await screen.findByText(/^Until you choose another one: 3575 Avenue du Parc/)).toBeVisible();
    await user.type(screen.getByRole('combobox', { name: 'Pickup address' }), '1200 sherb');
    await user.click(goOn());
    expect(await screen.findByRole('link', { name: `Incomplete pickup details. ${incomplete}` })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Keep this address' }));
    await waitFor(() => expect(screen.queryByRole('link', { name: /Incomplete pickup/ })).toBeNull());
    expect(draftStore.get().ends.pickup).toMatchObject({ place: withAddresses.ends?.pickup.place, typed: null });
    await user.click(goOn());
    await waitFor(() => expect(router.state.location.pathname).toBe('/move-type'));
  });
});

describe('a failed address search', () => {
  it('is tried again by its button and by Enter', async () => {
    let down = true;
    let asked = 0;
    server.use(
      http.get('*/api/geo/search', () => {
        asked += 1;
        return down ? new HttpResponse(null, { status: 404 }) : undefined;
      }),
    );
    const { user } = await renderApp('/locations');
    await user.type(await screen.findByRole('combobox', { name: 'Pickup address' }), 'avenue');
    const again = await screen.findByRole('button', { name: 'Try again' });
    expect(asked).toBe(1);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(asked).toBe(2));
    down = false;
    await waitFor(() => expect(again).toBeEnabled());
    await user.click(again);
    await user.click(await screen.findByRole('option', { name: /3575 Avenue du Parc/ }));
    expect(draftStore.get().ends.pickup.place?.address.street).toBe('3575 Avenue du Parc');
  });
});

describe('an address typed by hand', () => {
  const open = async () => {
    const app = await renderApp('/locations');
    await app.user.click((await pickup()).getByRole('button', { name: 'Enter address by hand' }));
    return app;
  };

  it('leads to the first field that is wrong', async () => {
    const { user } = await open();
    await user.click((await pickup()).getByRole('button', { name: 'Use this address' }));
    const street = (await pickup()).getByLabelText('Street number and name');
    await waitFor(() => expect(street).toHaveFocus());
    expect(street).toHaveAccessibleDescription(/number/);
    await user.type(street, '99 Rue Inconnue');
    await user.click((await pickup()).getByRole('button', { name: 'Use this address' }));
    const city = (await pickup()).getByLabelText('City');
    await waitFor(() => expect(city).toHaveFocus());
    expect(city).toHaveAccessibleDescription('City is required.');
  });

  it('says in one sentence what is wrong with the postal code', async () => {
    const { user } = await open();
    const use = async () => user.click((await pickup()).getByRole('button', { name: 'Use this address' }));
    await user.type((await pickup()).getByLabelText('Street number and name'), '99 Rue Inconnue');
    await user.type((await pickup()).getByLabelText('City'), 'Calgary');
    await use();
    const code = (await pickup()).getByLabelText('Postal code');
    await waitFor(() => expect(code).toHaveAccessibleDescription(/Postal code is required\./));
    await user.selectOptions((await pickup()).getByLabelText('Province'), 'Alberta');
    await user.type(code, 'H2X');
    await use();
    await waitFor(() => expect(code).toHaveAccessibleDescription(/Postal code is invalid\./));
    await user.type(code, ' 1Y4');
    await use();
    await waitFor(() => expect(code).toHaveAccessibleDescription(/lies in another province than the one chosen/));
    expect(screen.queryByText(incomplete)).toBeNull();
  });

  it('says at the street that nothing was found, and keeps what was typed', async () => {
    server.use(http.get('*/api/geo/search', () => HttpResponse.json({ data: [] })));
    const { user } = await open();
    const street = (await pickup()).getByLabelText('Street number and name');
    await user.type(street, '99 Rue Inconnue');
    await user.type((await pickup()).getByLabelText('City'), 'Laval');
    await user.type((await pickup()).getByLabelText('Postal code'), 'h7t 2y3');
    await user.click((await pickup()).getByRole('button', { name: 'Use this address' }));
    await waitFor(() => expect(street).toHaveFocus());
    expect(street).toHaveAccessibleDescription(/cannot find this street, postal code or city/);
    expect(street).toHaveValue('99 Rue Inconnue');
  });
});

describe('how one gets in and out', () => {
  it('is one line that says what is assumed, and opens on demand', async () => {
    const { user } = await renderApp('/locations', { draft: withAddresses });
    const line = await screen.findByTestId('pickup-access');
    expect(
      within(line)
        .getAllByRole('listitem')
        .map((fact) => fact.textContent),
    ).toEqual(['Ground floor', 'No elevator', 'Truck parking']);
    expect((await pickup()).getByText('Getting in and out, as we assume it')).toBeVisible();
    expect((await pickup()).queryByRole('textbox', { name: 'Floor' })).toBeNull();
    const change = (await pickup()).getByRole('button', { name: 'Change: Getting in and out' });
    expect(change).toHaveAttribute('aria-expanded', 'false');
    await user.click(change);
    const floor = (await pickup()).getByRole('textbox', { name: 'Floor' });
    expect(floor).toHaveAccessibleDescription(/^Ground floor, with or without a few steps: the lower flat of a duplex/);
    await user.click((await pickup()).getByRole('button', { name: 'One more: Floor' }));
    expect(floor).toHaveAccessibleDescription(
      'One flight up: the upper flat of a duplex, the middle one of a triplex.',
    );
    await user.click((await pickup()).getByRole('button', { name: 'One more: Floor' }));
    expect(floor).toHaveAccessibleDescription('Two flights up: the top flat of a triplex.');
    await user.selectOptions((await pickup()).getByLabelText('What kind of place is it?'), 'Condo');
    expect(within(line).getAllByRole('listitem')[0]).toHaveTextContent('Condo');
    expect(within(line).getAllByRole('listitem')[1]).toHaveTextContent('Floor 2');
    expect((await pickup()).getByText('Getting in and out')).toBeVisible();
    expect(draftStore.get().ends.pickup).toMatchObject({ category: 'condo', floor: 2 });
    await user.click((await pickup()).getByRole('button', { name: 'Close' }));
    expect((await pickup()).queryByRole('textbox', { name: 'Floor' })).toBeNull();
  });

  it('sends the kind of place with the booking, once it was said', () => {
    const draft = { ...emptyDraft(), ...withAddresses };
    expect(bookingRequest(draft)).not.toHaveProperty('pickupCategory');
    const said = { ...draft, ...changeEnd(draft, 'pickup', { category: 'storage' }) };
    expect(bookingRequest(said)).toMatchObject({ pickupCategory: 'storage' });
  });
});

it.each([
  ['en', 'Enter address by hand', 'Province', 'Newfoundland and Labrador'],
  ['fr', 'Entrer l’adresse à la main', 'Province', 'Terre-Neuve-et-Labrador'],
  ['zh', '手动填写地址', '省份', '纽芬兰与拉布拉多省'],
] as const)('names every province of the country, %s', async (language, open, label, name) => {
  const { user } = await renderApp('/locations', { language });
  await user.click((await screen.findAllByRole('button', { name: open }))[0] as HTMLElement);
  const list = screen.getByLabelText(label);
  expect(within(list).getAllByRole('option')).toHaveLength(13);
  expect(within(list).getByRole<HTMLOptionElement>('option', { name })).toHaveValue('NL');
});

it('offers the entry by hand as the last suggestion, for whoever looks there', async () => {
  const { user } = await renderApp('/locations');
  await user.type(await screen.findByRole('combobox', { name: 'Pickup address' }), 'avenue parc');
  await screen.findByRole('option', { name: /3575 Avenue du Parc/ });
  const last = screen.getAllByRole('option').at(-1);
  expect(last).toHaveTextContent('Enter address by hand');
  await user.keyboard('{ArrowUp}');
  expect(last).toHaveAttribute('aria-selected', 'true');
  expect(screen.getByRole('combobox', { name: 'Pickup address' })).toHaveAttribute('aria-activedescendant', last?.id);
  await user.keyboard('{Enter}');
  const street = () => within(screen.getByRole('region', { name: 'Pickup' })).getByLabelText('Street number and name');
  await waitFor(() => expect(street()).toHaveFocus(), { timeout: 5000 });
});
