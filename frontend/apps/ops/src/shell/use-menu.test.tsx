import { createMemoryHistory } from '@tanstack/react-router';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';

import { createAppRouter } from '../router.tsx';
import { open, signedInAs, useDesk } from '../test/render-desk.tsx';
import { areas } from './areas.ts';

useDesk();

it('names a page in the menu by a text of its own feature', async () => {
  signedInAs('admin');
  const { options } = createAppRouter(createMemoryHistory()).routesByPath['/jobs'];
  const before = options.staticData;
  Object.assign(options, { staticData: { menu: { ...areas.jobs, title: 'cards:title' } } });
  open('/profile');
  const menu = within(await screen.findByRole('navigation', { name: 'Back office' }, { timeout: 10_000 }));
  expect(await menu.findByRole('link', { name: 'The card' })).toHaveAttribute('href', '/dashboard/jobs');
  Object.assign(options, { staticData: before });
});
