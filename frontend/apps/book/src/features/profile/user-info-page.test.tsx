import { type Account, accountHandlers, freshAccount, problem } from '@portage/mock-api';
import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, it } from 'vitest';

import { renderApp, server, signInForTest, useApp } from '../../test/render-app.tsx';

useApp();

let account: Account;
const puts: { version: string | null; body: unknown }[] = [];
let answer: () => Response;

beforeEach(() => {
  account = freshAccount();
  puts.length = 0;
  answer = () => HttpResponse.json({ ...account.profile, firstName: 'Anna', version: 4 });
  server.use(...accountHandlers(account));
  server.use(
    http.put('*/api/profiles/', async ({ request }) => {
      puts.push({ version: request.headers.get('If-Match'), body: await request.json() });
      return answer();
    }),
  );
  signInForTest();
});

it('sends every text trimmed, nested ones too, with the version it was read at', async () => {
  const { user } = await renderApp('/user-info');
  const first = await screen.findByLabelText('First name');
  await user.clear(first);
  await user.type(first, '  Anna ');
  await user.type(screen.getByLabelText('City (optional)'), ' Montréal ');
  await user.type(screen.getByLabelText('Postal code (optional)'), ' h2x 1y4 ');
  expect(screen.getByLabelText('Country (optional)')).toHaveValue('Canada');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(puts).toHaveLength(1));
  expect(puts[0]?.version).toBe('"3"');
  expect(puts[0]?.body).toMatchObject({
    firstName: 'Anna',
    billingAddress: { city: 'Montréal', postalCode: 'h2x 1y4', country: 'Canada' },
  });
  expect((await screen.findAllByText('Your changes are saved.')).length).toBeGreaterThan(0);
});

it('says so when the profile was changed elsewhere', async () => {
  answer = () => problem(412, 'version_conflict', 'Somebody else changed this first.');
  const { user } = await renderApp('/user-info');
  await user.type(await screen.findByLabelText('First name'), 'x');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/changed somewhere else in the meantime/)).toBeVisible();
});

it('shows what is saved when it is loaded again after a change elsewhere', async () => {
  answer = () => problem(412, 'version_conflict', 'Somebody else changed this first.');
  const { user } = await renderApp('/user-info');
  await user.type(await screen.findByLabelText('First name'), 'x');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  account.profile = { ...account.profile, firstName: 'Anaïs', version: 5 };
  await user.click(await screen.findByRole('button', { name: 'Load what is saved now' }));
  await waitFor(() => expect(screen.getByLabelText('First name')).toHaveValue('Anaïs'));
  expect(screen.queryByText(/changed somewhere else in the meantime/)).not.toBeInTheDocument();
});

it('refuses a name that is only spaces', async () => {
  const { user } = await renderApp('/user-info');
  const first = await screen.findByLabelText('First name');
  await user.clear(first);
  await user.type(first, '   ');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('First name is required.');
  expect(puts).toHaveLength(0);
});

it('writes a Chinese name with the family name first, and asks for it first', async () => {
  account.profile = { ...account.profile, firstName: '伟', lastName: '王', fullName: '伟 王' };
  const { unmount } = await renderApp('/profile', { language: 'zh' });
  expect(await screen.findByRole('heading', { level: 1, name: /您好，王伟/ })).toBeVisible();
  expect(screen.getByText('王伟')).toBeVisible();
  unmount();
  await renderApp('/user-info', { language: 'zh' });
  const family = await screen.findByLabelText('姓');
  expect(family.compareDocumentPosition(screen.getByLabelText('名'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

it('offers the provinces by name, and free text only abroad', async () => {
  const { user } = await renderApp('/user-info');
  const list = await screen.findByRole('combobox', { name: 'Province (optional)' });
  await user.selectOptions(list, 'British Columbia');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(puts[0]?.body).toMatchObject({ billingAddress: { province: 'BC' } }));
  const country = screen.getByLabelText('Country (optional)');
  await user.clear(country);
  await user.type(country, 'France');
  expect(await screen.findByRole('textbox', { name: 'Province (optional)' })).toBeVisible();
});
