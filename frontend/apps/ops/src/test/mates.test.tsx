import { problem, someMate } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';

import { desk, open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();
beforeEach(() => {
  signedInAs('ops');
});

const asked = (method: string) => desk.world.asked.filter((call) => call.method === method);
const inDays = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10);

describe('the list of mates', () => {
  it('shows number, hubs, languages, skills and state, and marks a paper that ends', async () => {
    desk.world.catalogues.mates = [
      someMate({
        skills: ['heavy items', 'Zamboni'],
        documents: [
          { kind: 'Driving licence', number: 'R1', expiresOn: '2020-01-31', expired: true },
          { kind: 'Insurance', number: '', expiresOn: inDays(10), expired: false },
          { kind: 'First aid', number: '', expiresOn: inDays(300), expired: false },
        ],
        hasExpiredDocument: true,
      }),
    ];
    open('/mates');
    const row = (await screen.findByRole('link', { name: 'M-0042 Nadia Roy' })).closest('tr') as HTMLElement;
    for (const words of ['Montréal', 'English, Français', 'heavy items, Zamboni', 'active'])
      expect(within(row).getByText(words)).toBeVisible();
    expect(within(row).getByText('Driving licence: expired on Jan 31, 2020')).toBeVisible();
    expect(within(row).getByText(/^Insurance: .*days left$/)).toBeVisible();
    expect(within(row).queryByText(/First aid/)).toBeNull();
  });

  it('asks for what the address says: words and state', async () => {
    open('/mates?q=ali&state=paused');
    await screen.findByRole('link', { name: /Ali Haddad/ });
    expect(asked('GET').at(-1)).toMatchObject({
      path: '/mate',
      query: { value: 'ali', state: 'paused', page: '1', per_page: '25' },
    });
  });

  it('says what failed', async () => {
    server.use(http.get('*/api/mate', () => problem(403, 'forbidden', 'Not for you.')));
    open('/mates');
    expect(await screen.findByText('Not for you.')).toBeVisible();
  });
});

describe('a mate', () => {
  it('is added with skills of the list and of one’s own, and with papers', async () => {
    const { user, router } = open('/mates?open=new');
    const form = within(await screen.findByRole('dialog'));
    await user.type(await form.findByLabelText('First and last name'), 'Luc Dion');
    await user.click(form.getByRole('checkbox', { name: 'piano' }));
    await user.type(form.getByLabelText('Another skill'), 'Heavy items{Enter}');
    expect(form.getByRole('checkbox', { name: 'heavy items' })).toBeChecked();
    await user.type(form.getByLabelText('Another skill'), 'Zamboni');
    await user.click(form.getByRole('button', { name: 'Add' }));
    expect(form.getByRole('checkbox', { name: 'Zamboni' })).toBeChecked();
    await user.click(form.getByRole('checkbox', { name: 'Toronto' }));
    await user.click(form.getByRole('button', { name: 'Add a paper' }));
    const paper = within(form.getByRole('group', { name: 'Paper 1' }));
    await user.type(paper.getByLabelText('Kind of paper'), 'driving licence');
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect(await form.findByRole('alert')).toHaveTextContent('Last day it counts (Paper 1) is required.');
    await user.type(paper.getByLabelText('Last day it counts'), '2028-05-31');
    await user.type(form.getByLabelText(/Pay per hour/), '24.5');
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Value added.')).toBeVisible();
    await waitFor(() => expect(router.state.location.search).toEqual({ open: 'mate-new' }));
    expect(asked('POST').at(-1)?.body).toMatchObject({
      name: 'Luc Dion',
      skills: ['piano', 'heavy items', 'Zamboni'],
      hubs: ['toronto'],
      documents: [{ kind: 'Driving licence', number: '', expiresOn: '2028-05-31' }],
      payRate: '24.50',
      address: null,
      state: 'active',
    });
  });

  it('refuses numbers of the wrong form, and half an address', async () => {
    const { user } = open('/mates?open=mate-42&edit=true');
    const form = within(await screen.findByRole('dialog'));
    await user.type(await form.findByLabelText(/GST number/), '123456789RT0001');
    await user.type(form.getByLabelText(/enterprise number/), '4443920115');
    await user.type(form.getByLabelText('City'), 'Laval');
    await user.click(form.getByRole('button', { name: 'Save' }));
    const summary = await form.findByRole('alert');
    expect(summary).toHaveTextContent(/GST number \(TPS\) has nine digits/);
    expect(summary).toHaveTextContent(/begins with 11, 22, 33 or 88/);
    expect(summary).toHaveTextContent('Street number and name is required.');
    expect(asked('PUT')).toEqual([]);
  });

  it('shows a refusal of the server at its field, and keeps what was typed', async () => {
    server.use(
      http.put('*/api/mate/:id', () => problem(409, 'mate_has_jobs', 'This mate is on 2 moves to come.'), {
        once: true,
      }),
    );
    const { user } = open('/mates?open=mate-42&edit=true');
    const form = within(await screen.findByRole('dialog'));
    await user.selectOptions(await form.findByLabelText('State'), 'archived');
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect(await form.findByRole('alert')).toHaveTextContent('This mate is on 2 moves to come.');
    expect(form.getByLabelText('State')).toHaveValue('archived');
    await user.selectOptions(form.getByLabelText('State'), 'paused');
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Value edited.')).toBeVisible();
    expect(asked('PUT').at(-1)).toMatchObject({ version: '"1"', body: { state: 'paused', languages: ['en', 'fr'] } });
  });

  it('keeps rows of papers through a conflict', async () => {
    const { user } = open('/mates?open=mate-42&edit=true');
    const form = within(await screen.findByRole('dialog'));
    await user.click(await form.findByRole('button', { name: 'Add a paper' }));
    await user.type(form.getByLabelText('Kind of paper'), 'Insurance');
    await user.type(form.getByLabelText('Last day it counts'), '2028-05-31');
    const [, ...others] = desk.world.catalogues.mates;
    desk.world.catalogues.mates = [someMate({ phone: '514-555-0999', version: 4 }), ...others];
    await user.click(form.getByRole('button', { name: 'Save' }));
    await user.click(await form.findByRole('button', { name: 'Keep what I typed' }));
    expect(form.getByLabelText(/Telephone/)).toHaveValue('514-555-0999');
    expect(form.getByLabelText('Kind of paper')).toHaveValue('Insurance');
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(asked('PUT').at(-1)).toMatchObject({
        version: '"4"',
        body: { phone: '514-555-0999', documents: [{ kind: 'Insurance', expiresOn: '2028-05-31' }] },
      }),
    );
  });
});
