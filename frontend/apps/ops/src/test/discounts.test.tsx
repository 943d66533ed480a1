import { problem, someDiscount } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';

import { desk, open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();
beforeEach(() => {
  signedInAs('ops');
});

const asked = (method: string) => desk.world.asked.filter((call) => call.method === method);
const use = (number: number, change: object = {}) => ({
  bookingId: `00000000-0000-7000-8000-00000000000${number}`,
  customer: 'Camille Roy',
  off: '12.00',
  returnedAt: null,
  shortId: `PTG${number}0K`,
  takenAt: '2027-02-02T15:00:00Z',
  ...change,
});

describe('the list of discount codes', () => {
  it('says in words what each takes off, how often it was used and where it stands', async () => {
    open('/discounts');
    const row = (await screen.findByRole('link', { name: 'SPRING10' })).closest('tr') as HTMLElement;
    for (const words of ['10%, at most $50.00', 'Mar 1, 2027 – May 31, 2027', 'any day', '3 of 100', 'active'])
      expect(within(row).getByText(words)).toBeVisible();
    expect(asked('GET').at(-1)).toMatchObject({ path: '/discounts', query: { page: '1', per_page: '25' } });
  });

  it('reads search and page out of the address, and offers to clear a search that finds nothing', async () => {
    const { user, router } = open('/discounts?q=winter&page=2');
    await screen.findByRole('grid');
    await waitFor(() =>
      expect(asked('GET').at(-1)).toMatchObject({ path: '/discounts/search', query: { value: 'winter', page: '2' } }),
    );
    const grid = within(screen.getByRole('grid'));
    await user.click(await grid.findByRole('button', { name: 'Clear all' }));
    await screen.findByRole('link', { name: 'SPRING10' });
    expect(router.state.location.search).toEqual({});
  });

  it('says that there is none yet, and what failed', async () => {
    desk.world.catalogues.discounts = [];
    open('/discounts');
    expect(await screen.findByText('No discount code yet')).toBeVisible();
    server.use(http.get('*/api/discounts/search', () => problem(422, 'validation_failed', 'Too long.')));
    open('/discounts?q=x');
    expect(await screen.findByText('Too long.')).toBeVisible();
  });
});

describe('a discount code', () => {
  it('shows who used it, with the way to the booking and what was given back', async () => {
    desk.world.catalogues.uses.set('discount-1', [
      use(1),
      use(2, { off: null, returnedAt: '2027-02-03T15:00:00Z' }),
      use(3, { shortId: null, customer: '' }),
    ]);
    open('/discounts?open=discount-1');
    const drawer = within(await screen.findByRole('dialog'));
    expect(await drawer.findByRole('link', { name: 'PTG10K' })).toHaveAttribute(
      'href',
      '/dashboard/bookings/00000000-0000-7000-8000-000000000001',
    );
    expect(drawer.getAllByText('$12.00')[0]).toBeVisible();
    expect(drawer.getByText(/^Given back February 3, 2027/)).toBeVisible();
    expect(drawer.getByText('booking not made')).toBeVisible();
    expect(drawer.getByText('Quebec')).toBeVisible();
    expect(drawer.getByText('all kinds of move')).toBeVisible();
  });

  it('is added once, with dollars and days as the calls take them', async () => {
    const { user, router } = open('/discounts');
    await user.click((await screen.findAllByRole('button', { name: 'Add a discount' }))[0] as HTMLElement);
    const form = within(await screen.findByRole('dialog'));
    await user.click(form.getByRole('button', { name: 'Save' }));
    const summary = await form.findByRole('alert');
    expect(summary).toHaveFocus();
    expect(summary).toHaveTextContent('Discount code is required.');
    await user.type(form.getByLabelText('Discount code'), 'SUMMER');
    await user.selectOptions(form.getByLabelText('What it takes off'), 'fixed');
    expect(form.queryByLabelText(/Takes off at most/)).toBeNull();
    await user.type(form.getByLabelText('How much'), '12,5');
    await user.type(form.getByLabelText('First day of the moves'), '2027-06-01');
    await user.type(form.getByLabelText('Last day of the moves'), '2027-06-30');
    await user.click(form.getByRole('checkbox', { name: 'Ontario' }));
    await user.click(form.getByRole('checkbox', { name: 'Alberta' }));
    await user.click(form.getByRole('checkbox', { name: 'Alberta' }));
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Value added.')).toBeVisible();
    await waitFor(() => expect(router.state.location.search).toEqual({ open: 'discounts-new' }));
    expect(asked('POST')).toHaveLength(1);
    expect(asked('POST')[0]?.key).toBeTruthy();
    expect(asked('POST')[0]?.body).toMatchObject({
      code: 'SUMMER',
      kind: 'fixed',
      value: '12.50',
      maxAmount: null,
      provinces: ['ON'],
      kinds: [],
      maxUses: null,
      bookableFrom: null,
    });
  });

  it('refuses at the field what cannot be: more than the whole price, days in the wrong order', async () => {
    const { user } = open('/discounts?open=discount-1&edit=true');
    const form = within(await screen.findByRole('dialog'));
    const value = await form.findByLabelText('How much');
    await user.clear(value);
    await user.type(value, '101');
    await user.clear(form.getByLabelText('Last day of the moves'));
    await user.type(form.getByLabelText('Last day of the moves'), '2027-02-01');
    await user.click(form.getByRole('button', { name: 'Save' }));
    const summary = await form.findByRole('alert');
    expect(summary).toHaveTextContent('How much is more than 0 and at most 100.');
    expect(summary).toHaveTextContent('The last day comes after the first.');
    expect(asked('PUT')).toEqual([]);
  });

  it('says at the code that another has it, and keeps what was typed', async () => {
    const { user } = open('/discounts?open=new');
    const form = within(await screen.findByRole('dialog'));
    await user.type(await form.findByLabelText('Discount code'), 'partner25');
    await user.type(form.getByLabelText('How much'), '10');
    await user.type(form.getByLabelText('First day of the moves'), '2027-06-01');
    await user.type(form.getByLabelText('Last day of the moves'), '2027-06-30');
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect(await form.findByRole('alert')).toHaveTextContent('Another discount has this code already.');
    expect(form.getByLabelText('Discount code')).toHaveValue('partner25');
    expect(form.getByLabelText('Discount code')).toBeInvalid();
  });

  it('asks before a form with changes is left, and not after it was saved', async () => {
    const { user, router } = open('/discounts?open=discount-1');
    await user.click(await screen.findByRole('button', { name: 'Edit record' }));
    const form = within(await screen.findByRole('dialog'));
    const uses = await form.findByLabelText('Uses in all, at most');
    await user.clear(uses);
    await user.type(uses, '200');
    await user.click(form.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('Leave without saving?')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Stay here' }));
    expect(form.getByLabelText('Uses in all, at most')).toHaveValue('200');
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Value edited.')).toBeVisible();
    await waitFor(() => expect(router.state.location.search).toEqual({ open: 'discount-1' }));
    expect((await screen.findAllByText('3 of 200'))[0]).toBeVisible();
    expect(asked('PUT').at(-1)).toMatchObject({ version: '"1"', body: { maxUses: 200 } });
  });

  it('writes over nobody: says what a colleague changed, and puts what was typed on top when asked', async () => {
    const { user } = open('/discounts?open=discount-1&edit=true');
    const form = within(await screen.findByRole('dialog'));
    const uses = await form.findByLabelText('Uses in all, at most');
    await user.clear(uses);
    await user.type(uses, '200');
    const [, ...others] = desk.world.catalogues.discounts;
    desk.world.catalogues.discounts = [someDiscount({ value: '15.00', version: 2 }), ...others];
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect(await form.findByText('What you typed is still here. They changed: How much.')).toBeVisible();
    await user.click(form.getByRole('button', { name: 'Keep what I typed' }));
    expect(form.getByLabelText('How much')).toHaveValue('15');
    expect(form.getByLabelText('Uses in all, at most')).toHaveValue('200');
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(asked('PUT').at(-1)).toMatchObject({ version: '"2"', body: { maxUses: 200, value: '15.00' } }),
    );
  });

  it('is gone when nobody ever used it', async () => {
    const { user, router } = open('/discounts?open=discount-2');
    await user.click(await screen.findByRole('button', { name: 'Delete the code' }));
    expect(await screen.findByText(/Nobody has ever used it/)).toBeVisible();
    await user.click(screen.getAllByRole('button', { name: 'Delete the code' }).at(-1) as HTMLElement);
    expect(await screen.findByText('PARTNER25 is deleted.')).toBeVisible();
    await waitFor(() => expect(router.state.location.search).toEqual({}));
    await waitFor(() => expect(screen.queryByRole('link', { name: 'PARTNER25' })).toBeNull());
  });

  it('is switched off when somebody used it, and its bookings keep it', async () => {
    desk.world.catalogues.uses.set('discount-1', [use(1), use(2)]);
    const { user } = open('/discounts?open=discount-1');
    await user.click(await screen.findByRole('button', { name: 'Switch it off' }));
    expect(await screen.findByText(/used 2 times.*Its bookings keep what it takes off/)).toBeVisible();
    await user.click(screen.getAllByRole('button', { name: 'Switch it off' }).at(-1) as HTMLElement);
    expect(await screen.findByText('SPRING10 is switched off.')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Switch it off' })).toBeNull());
  });
});
