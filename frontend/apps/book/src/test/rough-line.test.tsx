import { addTexts, i18next, type TextFile } from '@portage/i18n';
import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, it, onTestFinished, vi } from 'vitest';

import { calls, renderApp, server, useApp, withAddresses } from './render-app.tsx';

useApp();

/** A file of texts that cannot be fetched until `back` is called. */
function lose(language: string, name: string, file: () => Promise<TextFile>): { back: () => void } {
  const path = `./locales/${language}/${name}.json`;
  const back = () => addTexts({ [path]: file });
  i18next.removeResourceBundle(language, name);
  // it forgets with one language that the namespace is in use
  (i18next.options.ns as string[]).push(name);
  addTexts({ [path]: () => Promise.reject(new TypeError('Failed to fetch dynamically imported module')) });
  onTestFinished(async () => {
    back();
    await i18next.reloadResources([language], [name]);
  });
  return { back };
}

it('loads a page that could not be loaded as soon as there is a connection again, or at a press', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
  const { back } = lose('en', 'move', () => import('../features/move/locales/en/move.json'));
  const { router, user } = await renderApp('/locations', { draft: withAddresses });
  await screen.findByRole('heading', { name: 'Where are you moving?' });
  await act(() => router.navigate({ to: '/move-type' }));
  await screen.findByRole('heading', { name: 'Failed to load page.' });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('heading', { name: 'Failed to load page.' });
  back();
  act(() => void dispatchEvent(new Event('online')));
  expect(await screen.findByRole('heading', { name: 'What kind of move is it?' })).toBeVisible();
  expect(router.state.location.pathname).toBe('/move-type');
});

it('tries again at a press what failed while it was loaded', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
  const { back } = lose('en', 'move', () => import('../features/move/locales/en/move.json'));
  const { user } = await renderApp('/move-type', { draft: withAddresses });
  await screen.findByRole('heading', { name: 'Failed to load page.' });
  back();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: 'What kind of move is it?' })).toBeVisible();
});

it('fetches the next page ahead as soon as it may be opened', async () => {
  await renderApp('/locations', { draft: withAddresses });
  await screen.findByRole('heading', { name: 'Where are you moving?' });
  await waitFor(() => expect(calls.map(({ path }) => path)).toContain('/api/furniture'));
});

it('stays in its language while the texts of another one cannot be had, and says why', async () => {
  server.use(http.get('http://localhost:8080/', () => new HttpResponse(null, { status: 503 })));
  const { back } = lose('fr', 'shell', () => import('../shell/locales/fr/shell.json'));
  const { user } = await renderApp('/');
  const widget = within(await screen.findByRole('region', { name: 'Language and account' }));
  await user.click(widget.getByRole('button', { name: 'Language: English' }));
  await user.click(await screen.findByRole('menuitemradio', { name: /Français/ }));
  const notice = await screen.findByText(/The texts for Français could not be fetched/);
  expect(notice).toBeVisible();
  expect(document.documentElement.lang).toBe('en-CA');
  expect(localStorage.getItem('portage.lang')).not.toBe('fr');
  expect(screen.getByRole('heading', { level: 1, name: 'Movers at a fixed price' })).toBeVisible();
  back();
  const notices = within(screen.getByRole('region', { name: 'Notices' }));
  await user.click(notices.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Des déménageurs à prix fixe' })).toBeVisible();
  expect(localStorage.getItem('portage.lang')).toBe('fr');
  expect(screen.queryByText(/Français could not/)).toBeNull();
});
