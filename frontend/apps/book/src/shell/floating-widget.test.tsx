import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';

import { renderApp, useApp, withDate } from '../test/render-app.tsx';

const signIn = vi.hoisted(() => vi.fn(() => Promise.resolve()));
vi.mock('./session.ts', async (original) => ({ ...(await original<object>()), signIn }));

useApp();
beforeEach(() => signIn.mockClear());

const press = async (path: string, draft?: typeof withDate) => {
  const { user } = await renderApp(path, draft ? { draft } : {});
  const widget = await screen.findByRole('region', { name: 'Language and account' });
  await user.click(await waitFor(() => within(widget).getByRole('button', { name: 'Sign In' })));
};

it('leads back to the booking in the making', async () => {
  await press('/quote', withDate);
  expect(signIn).toHaveBeenCalledExactlyOnceWith('/quote');
});

it('leads to the profile where there is nothing to come back to', async () => {
  await press('/');
  expect(signIn).toHaveBeenCalledExactlyOnceWith('/profile');
});
