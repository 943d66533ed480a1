import { mockConfig } from '@portage/mock-api';
import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, it, onTestFinished } from 'vitest';

import { renderApp, server, useApp } from './render-app.tsx';

useApp();

it('bears the name of the company that runs it, where that has no logo', async () => {
  // as the server writes it into the page
  const meta = Object.assign(document.createElement('meta'), { name: 'company-name', content: 'Roy & fils' });
  document.head.append(meta);
  onTestFinished(() => meta.remove());
  server.use(http.get('*/api/config', () => HttpResponse.json({ ...mockConfig, companyName: 'Roy & fils' })));
  await renderApp('/locations');
  expect(await screen.findByRole('link', { name: 'Roy & fils, home' })).toHaveTextContent('Roy & fils');
  await waitFor(() => expect(document.title).toMatch(/ · Roy & fils$/));
});

it('is called Portage until a company has said its name', async () => {
  await renderApp('/locations');
  expect(await screen.findByRole('link', { name: 'Portage, home' })).toHaveTextContent('Portage');
  await waitFor(() => expect(document.title).toMatch(/ · Portage$/));
});
