import { somePartner, someTruck } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';

import { desk, open, signedInAs, useDesk } from './render-desk.tsx';

useDesk();
beforeEach(() => {
  signedInAs('ops');
});

const asked = (method: string) => desk.world.asked.filter((call) => call.method === method);

describe('partners', () => {
  it('are listed with whom to ask, prices and days to pay', async () => {
    desk.world.catalogues.partners = [
      somePartner({ contacts: [{ name: 'Paul Gagnon' }, { name: 'Eva Roy' }, { name: 'Li Na' }] }),
    ];
    open('/partners?state=active');
    const row = (await screen.findByRole('link', { name: 'P-0007 Meubles Outremont' })).closest('tr') as HTMLElement;
    for (const words of ['Paul Gagnon and 2 others', 'the company’s own prices', '30 days', 'active'])
      expect(within(row).getByText(words)).toBeVisible();
    expect(asked('GET').at(-1)).toMatchObject({ path: '/partner', query: { state: 'active' } });
  });

  it('are changed with contacts and whole addresses', async () => {
    const { user, router } = open('/partners?open=partner-7');
    await user.click(await screen.findByRole('button', { name: 'Edit record' }));
    const form = within(await screen.findByRole('dialog'));
    await user.click(await form.findByRole('button', { name: 'Add an address' }));
    await user.type(form.getByLabelText('Street number and name'), '1200 avenue Bernard');
    await user.type(form.getByLabelText('City'), 'Montréal');
    await user.type(form.getByLabelText('Postal code'), 'V6B 1A1');
    await user.click(form.getByRole('button', { name: 'Remove: Contact 1' }));
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect(await form.findByRole('alert')).toHaveTextContent(
      'This postal code lies in another province than the one chosen.',
    );
    await user.clear(form.getByLabelText('Postal code'));
    await user.type(form.getByLabelText('Postal code'), 'H2V 1V3');
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Value edited.')).toBeVisible();
    await waitFor(() => expect(router.state.location.search).toEqual({ open: 'partner-7' }));
    expect(asked('PUT').at(-1)).toMatchObject({
      version: '"1"',
      body: {
        contacts: [],
        netDays: 30,
        rateName: null,
        addresses: [{ street: '1200 avenue Bernard', city: 'Montréal', province: 'QC', postalCode: 'H2V 1V3' }],
      },
    });
  });
});

describe('trucks', () => {
  it('are listed by hub, with an alarm where a paper is over', async () => {
    desk.world.catalogues.trucks = [
      someTruck({ inspectedUntil: '2020-09-30', insuredUntil: '2090-12-31', expired: true }),
      someTruck({ id: 'truck-2', name: 'Orignal', size: '26ft', hub: 'toronto' }),
    ];
    open('/trucks');
    const here = within(await screen.findByRole('table', { name: 'Trucks of Montréal' }));
    expect(here.getByText('expired on Sep 30, 2020')).toBeVisible();
    expect(here.getByText('Dec 31, 2090')).toBeVisible();
    expect(here.queryByText('Orignal')).toBeNull();
    const there = within(screen.getByRole('table', { name: 'Trucks of Toronto' }));
    expect(there.getByText('26 ft')).toBeVisible();
  });

  it('are found by name, plate and hub, and say when nothing fits', async () => {
    const { user } = open('/trucks?q=l123%20456&hub=montreal');
    expect(await screen.findByRole('link', { name: 'Castor' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Orignal' })).toBeNull();
    const search = screen.getByRole('searchbox');
    await user.clear(search);
    await user.type(search, 'nothing');
    expect(await screen.findByText('Nothing fits these filters')).toBeVisible();
    await user.click(screen.getAllByRole('button', { name: 'Clear all' }).at(-1) as HTMLElement);
    expect(await screen.findByRole('link', { name: 'Orignal' })).toBeVisible();
  });

  it('are added, and a name that is taken is said at the name', async () => {
    const { user, router } = open('/trucks');
    await user.click((await screen.findAllByRole('button', { name: 'Add a truck' }))[0] as HTMLElement);
    const form = within(await screen.findByRole('dialog'));
    await user.type(await form.findByLabelText('Name of the truck'), 'Castor');
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect(await form.findByRole('alert')).toHaveTextContent('Another truck of this hub is called so.');
    expect(form.getByLabelText('Name of the truck')).toBeInvalid();
    await user.selectOptions(form.getByLabelText('Hub'), 'calgary');
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Value added.')).toBeVisible();
    await waitFor(() => expect(router.state.location.search).toEqual({ open: 'trucks-new' }));
    expect(asked('POST').at(-1)?.body).toMatchObject({
      name: 'Castor',
      hub: 'calgary',
      size: '20ft',
      insuredUntil: null,
    });
    expect(asked('POST')[0]?.key).not.toBe(asked('POST')[1]?.key);
  });
});
