import { accountHandlers, freshAccount } from '@portage/mock-api';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';

import { renderApp, server, signInForTest, useApp } from '../../test/render-app.tsx';

useApp();

beforeEach(() => {
  server.use(...accountHandlers(freshAccount()));
  signInForTest();
});

it('keeps the focus in the section when the form for a card comes, and when it goes', async () => {
  const { user } = await renderApp('/profile/settings');
  const another = { name: /another card|Add a card/ };
  await user.click(await screen.findByRole('button', another));
  expect(screen.getByRole('heading', { level: 2, name: 'Card' })).toHaveFocus();
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.getByRole('button', another)).toHaveFocus());
});
