import { accountHandlers, freshAccount } from '@portage/mock-api';
import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, it } from 'vitest';

import { renderApp, server, signInForTest, useApp } from '../../test/render-app.tsx';

useApp();

beforeEach(() => {
  const account = freshAccount();
  server.use(
    http.put('*/api/profiles/', async ({ request }) => {
      account.profile = { ...account.profile, ...((await request.json()) as object) };
      return HttpResponse.json(account.profile);
    }),
    ...accountHandlers(account),
  );
  signInForTest();
});

it('says that a language was saved, where it is read, and in that language', async () => {
  const { user } = await renderApp('/profile/settings');
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Language' }), 'fr');
  const said = await screen.findByText('Vos modifications sont enregistrées.');
  expect(said).toBeVisible();
  expect(said.closest('[role="status"]')).toBeInTheDocument();
  // whoever goes through the list by keyboard goes on there
  expect(screen.getByRole('combobox', { name: 'Langue' })).toHaveFocus();
  expect(screen.queryByText('Your changes are saved.')).toBeNull();
});
