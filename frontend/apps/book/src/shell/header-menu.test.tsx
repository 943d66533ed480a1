import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { renderApp, signInForTest, useApp, withAddresses, withDate } from '../test/render-app.tsx';

const signIn = vi.hoisted(() => vi.fn(() => Promise.resolve()));
vi.mock('./session.ts', async (original) => ({ ...(await original<object>()), signIn }));

useApp();
beforeEach(() => signIn.mockClear());
afterEach(() => vi.restoreAllMocks());

async function open(path: string, draft?: typeof withDate) {
  const app = await renderApp(path, draft ? { draft } : {});
  const button = await screen.findByRole('button', { name: 'Menu' });
  await app.user.click(button);
  return { ...app, button, menu: within(screen.getByRole('region', { name: 'Menu' })) };
}

it('leads to signing in and to a new account, and from both back to the booking in the making', async () => {
  const { user, menu } = await open('/quote', withDate);
  await user.click(menu.getByRole('button', { name: 'Sign In' }));
  expect(signIn).toHaveBeenLastCalledWith('/quote');
  await user.click(menu.getByRole('button', { name: 'Create account' }));
  expect(signIn).toHaveBeenLastCalledWith('/quote', 'signup');
});

it('changes the language and the colours, and gives the focus back on Escape', async () => {
  const { user, menu, button } = await open('/');
  await user.click(menu.getByRole('button', { name: 'Français' }));
  await screen.findByRole('heading', { level: 1, name: 'Des déménageurs à prix fixe' });
  expect(menu.getByRole('button', { name: 'Français' })).toHaveAttribute('aria-pressed', 'true');
  await user.click(menu.getByRole('button', { name: 'Couleurs sombres' }));
  expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('region', { name: 'Menu' })).toBeNull();
  expect(button).toHaveFocus();
});

it('has one’s own pages, and closes on the way to one of them', async () => {
  signInForTest();
  const { user, menu, router } = await open('/');
  await user.click(menu.getByRole('link', { name: 'My bookings' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/bookings'));
  expect(screen.queryByRole('region', { name: 'Menu' })).toBeNull();
});

it('closes when one tabs on out of it', async () => {
  const { user } = await open('/');
  for (let tabs = 0; tabs < 8; tabs += 1) await user.tab();
  expect(screen.queryByRole('region', { name: 'Menu' })).toBeNull();
});

it('on a phone the price stands beside Continue, once, and not in the header', async () => {
  const { matchMedia } = window;
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    Object.assign(matchMedia(query), { matches: query.includes('max-width: 47.99em') }),
  );
  await renderApp('/locations', { draft: withAddresses });
  const next = await screen.findByRole('button', { name: 'Continue to move type' });
  const bar = next.closest('[data-step-bar]');
  expect(bar).not.toBeNull();
  expect(bar).toContainElement(screen.getByTestId('estimate'));
  expect(screen.getAllByTestId('estimate')).toHaveLength(1);
});
