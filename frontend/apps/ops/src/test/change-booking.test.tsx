import type { DeskBooking } from '@portage/api';
import { mockApi, problem } from '@portage/mock-api';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, it } from 'vitest';

import { desk, open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();
beforeEach(() => {
  signedInAs('ops');
  const answer = ({ request }: { request: Request }) => mockApi(request);
  server.use(http.all('*/api/geo/*', answer), http.get('*/api/furniture', answer));
});

const first = () => desk.world.bookings[0] as DeskBooking;
const puts = () => desk.world.asked.filter((call) => call.method === 'PUT');
const group = (name: string) => within(screen.getByRole('group', { name }));
const save = () => screen.getByRole('button', { name: 'Save' });
const begin = async () => {
  const opened = open(`/bookings/${first().id}/change`);
  await screen.findByLabelText('Comments of the customer');
  return opened;
};
const searchPickup = async ({ user }: Pick<Awaited<ReturnType<typeof begin>>, 'user'>, words: string) => {
  await user.click(group('At the pickup').getByRole('button', { name: 'Another address' }));
  const field = await group('At the pickup').findByRole('combobox', { name: 'Address' });
  expect(field).toHaveFocus();
  await user.type(field, words);
  return field;
};

it('changes the kind of move, the pieces and the services, with the price before they are saved', async () => {
  const { user, router } = await begin();
  await user.selectOptions(screen.getByLabelText('Kind of move'), 'storage');
  await user.click(screen.getByRole('checkbox', { name: 'Packing' }));
  // the list comes with the press, and takes the focus
  await user.click(screen.getByRole('button', { name: 'Change what is moved' }));
  const search = await screen.findByRole('searchbox');
  await waitFor(() => expect(search).toHaveFocus());
  await user.type(search, 'piano');
  const piano = (await screen.findAllByRole('button', { name: /^(One more|Add).*piano/i }))[0] as HTMLElement;
  await user.click(piano);
  expect(await screen.findByText('$500.00')).toBeVisible();
  await waitFor(() => expect(save()).not.toHaveAttribute('aria-disabled'));
  await user.click(save());
  await waitFor(() => expect(router.state.location.pathname).toBe(`/bookings/${first().id}`));
  const body = puts().at(-1)?.body as { booking: Record<string, unknown> };
  expect(Object.keys(body.booking).sort()).toEqual(['bookingType', 'extraServices', 'selectedFurnitures']);
  expect(body.booking).toMatchObject({ bookingType: 'storage', extraServices: ['packing'] });
  const before = desk.world.bookings[1]?.items ?? [];
  expect((body.booking['selectedFurnitures'] as unknown[]).length).toBe(before.length + 1);
});

it('says beside a service that the rate card has no price for it', async () => {
  const { user } = await begin();
  await user.click(screen.getByRole('checkbox', { name: 'Packing' }));
  await user.click(screen.getByRole('checkbox', { name: 'Storing things' }));
  const services = group('Services besides');
  expect(await services.findByText(/^Storing things: the rate card has no price for it/)).toBeVisible();
  expect(services.queryByText(/^Packing: the rate card/)).toBeNull();
  // who sets the price by hand has agreed on one
  await user.type(screen.getByLabelText('Other price before tax'), '700');
  expect(services.queryByText(/has no price for it/)).toBeNull();
});

it('takes another address from the search, and asks anew for what belonged to the house', async () => {
  desk.world.bookings[0] = { ...first(), pickup: { ...first().pickup, aptUnit: '4', unit: '4', details: 'Code 12' } };
  const { user } = await begin();
  await searchPickup({ user }, '3575');
  await user.keyboard('{Enter}');
  const again = await group('At the pickup').findByRole('button', { name: 'Another address' });
  // the search is gone with the choice
  await waitFor(() => expect(again).toHaveFocus());
  expect(group('At the pickup').getByLabelText('Unit')).toHaveValue('');
  expect(group('At the pickup').getByText(/ask for them again/)).toBeVisible();
  await user.selectOptions(group('At the pickup').getByLabelText('Kind of place'), 'condo');
  await waitFor(() => expect(save()).not.toHaveAttribute('aria-disabled'));
  await user.click(save());
  await waitFor(() => expect(puts()).toHaveLength(1));
  expect(puts()[0]?.body).toMatchObject({
    booking: {
      pickup: { street: expect.stringMatching(/^3575/) as string, province: 'QC' },
      pickupCoords: { lat: expect.any(Number) as number },
      pickupAptUnit: '',
      pickupDetails: '',
      pickupCategory: 'condo',
    },
  });
});

it('asks again only for what nobody has said since the address is another one', async () => {
  const { user } = await begin();
  await searchPickup({ user }, '3575');
  await user.keyboard('{Enter}');
  const again = await group('At the pickup').findByText(/ask for them again/);
  expect(again).toHaveTextContent('ask for them again: floor, elevators, parking, how hard it is to get in.');
  fireEvent.change(group('At the pickup').getByLabelText(/^Floor/), { target: { value: '7' } });
  await user.click(group('At the pickup').getByRole('checkbox', { name: 'Room for the truck' }));
  expect(again).toHaveTextContent('ask for them again: elevators, how hard it is to get in.');
  await user.click(group('At the pickup').getByRole('button', { name: 'They are the same here' }));
  expect(again).not.toBeInTheDocument();
  expect(group('At the dropoff').queryByText(/ask for them again/)).toBeNull();
});

it('does not leave out an address that is not taken yet, and leads to it', async () => {
  const { user } = await begin();
  fireEvent.change(screen.getByLabelText('Comments of the customer'), { target: { value: 'Piano' } });
  await searchPickup({ user }, 'nowhere');
  await waitFor(() => expect(save()).not.toHaveAttribute('aria-disabled'));
  await user.click(save());
  const box = await screen.findByRole('alert');
  await waitFor(() => expect(box).toHaveFocus());
  expect(within(box).getByRole('link', { name: /complete address/ })).toBeVisible();
  expect(puts()).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Leave the address as it was' }));
  await waitFor(() => expect(group('At the pickup').getByRole('button', { name: 'Another address' })).toHaveFocus());
  await waitFor(() => expect(save()).not.toHaveAttribute('aria-disabled'));
  await user.click(save());
  await waitFor(() => expect(puts()).toMatchObject([{ body: { booking: { comments: 'Piano' } } }]));
});

it('takes an address field by field', async () => {
  const { user } = await begin();
  await user.click(group('At the dropoff').getByRole('button', { name: 'Another address' }));
  await user.click(await group('At the dropoff').findByRole('button', { name: /by hand/i }));
  expect(await group('At the dropoff').findByLabelText(/street/i)).toHaveFocus();
});

it('tells a refusal of the preview at its field', async () => {
  server.use(http.post('*/api/bookings/:id/preview', () => problem(422, 'area_unserved', 'We do not drive there.')));
  const { user } = await begin();
  await searchPickup({ user }, '3575');
  await user.keyboard('{Enter}');
  expect(await group('At the pickup').findByText('We do not drive there.')).toBeVisible();
});

it('leads to the fields that Save was refused for', async () => {
  const { user } = await begin();
  fireEvent.change(screen.getByLabelText('Comments of the customer'), { target: { value: 'Piano' } });
  await waitFor(() => expect(save()).not.toHaveAttribute('aria-disabled'));
  server.use(
    http.put('*/api/bookings/:id', () =>
      HttpResponse.json(
        {
          type: 'about:blank',
          title: 'Refused',
          status: 422,
          detail: 'Some fields are wrong.',
          code: 'validation_failed',
          errors: [{ field: 'booking.pickupFloor', code: 'out_of_range', message: 'No such floor.' }],
        },
        { status: 422, headers: { 'Content-Type': 'application/problem+json' } },
      ),
    ),
  );
  await user.click(save());
  const box = await screen.findByRole('alert');
  await waitFor(() => expect(box).toHaveFocus());
  await user.click(within(box).getByRole('link', { name: 'No such floor.' }));
  expect(group('At the pickup').getByLabelText(/^Floor/)).toHaveFocus();
});

it('shows both versions of pieces and addresses, and puts its own pieces on top of those of a colleague', async () => {
  const { user } = await begin();
  await user.click(screen.getByRole('button', { name: 'Change what is moved' }));
  await user.type(await screen.findByRole('searchbox'), 'piano');
  await user.click((await screen.findAllByRole('button', { name: /^(One more|Add).*piano/i }))[0] as HTMLElement);
  await waitFor(() => expect(save()).not.toHaveAttribute('aria-disabled'));
  desk.world.bookings[0] = {
    ...first(),
    version: 2,
    items: [...first().items, { id: 'bicycle-adult', quantity: 2 }],
    dropoff: { ...first().dropoff, street: '1 Rue Neuve', fullAddress: '1 Rue Neuve, Laval' },
  };
  await user.click(save());
  const table = within(await screen.findByRole('table'));
  expect(table.getByRole('row', { name: /What is moved 1 × .*piano.* 2 × .*bi(cycle|ke)/i })).toBeVisible();
  // nobody is to think that what a colleague wrote would be taken away again
  expect(table.getByRole('row', { name: /Address Dropoff not changed by you 1 Rue Neuve, Laval/ })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Put my changes on top' }));
  await waitFor(() => expect(save()).not.toHaveAttribute('aria-disabled'));
  await user.click(save());
  await waitFor(() => expect(puts().at(-1)?.version).toBe('"2"'));
  const [last] = puts().slice(-1);
  if (!last) throw new Error('nothing was saved');
  const { booking } = last.body as { booking: { selectedFurnitures: { id: string }[] } };
  expect(Object.keys(booking)).toEqual(['selectedFurnitures']);
  expect(booking.selectedFurnitures.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['bicycle-adult', ...first().items.map(({ id }) => id)]),
  );
});
