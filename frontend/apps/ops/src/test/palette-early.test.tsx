import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';

import { showOverlay } from '../shell/help.ts';
import { open, signedInAs, useDesk } from './render-desk.tsx';

const code = vi.hoisted(() => {
  let come = () => {};
  const there = new Promise<void>((resolve) => {
    come = resolve;
  });
  return { there, come: () => come() };
});
/** The palette's code is on its way until the test lets it come. */
vi.mock('../shell/palette.tsx', async (original) => {
  await code.there;
  return original();
});

useDesk();
beforeEach(() => {
  signedInAs('admin');
  showOverlay(null);
});

it('keeps what is typed while the palette is on its way, and fires no key of the page', async () => {
  const { user, router } = open('/profile');
  await screen.findByRole('heading', { level: 1, name: 'My profile' });
  (document.activeElement as HTMLElement | null)?.blur();
  await user.keyboard('{Control>}k{/Control}');
  // n begins a booking, ? shows the shortcuts, g b leads to the list
  await user.keyboard('n?gbx{Backspace}{Enter}');
  expect(router.state.location.pathname).toBe('/profile');
  expect(screen.queryByRole('dialog')).toBeNull();
  code.come();
  const field = await screen.findByRole('combobox', { name: 'Go to or do' });
  await waitFor(() => expect(field).toHaveFocus());
  expect(field).toHaveValue('n?gb');
  await user.keyboard('!');
  expect(field).toHaveValue('n?gb!');
  expect(router.state.location.pathname).toBe('/profile');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  // opened again it is empty, and the keys of the page work once it is closed
  await user.keyboard('{Control>}k{/Control}');
  expect(await screen.findByRole('combobox', { name: 'Go to or do' })).toHaveValue('');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.keyboard('n');
  await waitFor(() => expect(router.state.location.pathname).toBe('/bookings/new'));
});
