import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, it } from 'vitest';

import { renderApp, server, useApp, withItems } from './render-app.tsx';

useApp();

it('names the day on which a crew is done, where it is another one', async () => {
  const crew = (mateCount: number, duration: number) => ({
    mateCount,
    amount: '100.00',
    total: '114.98',
    duration,
    warnings: [],
    labels: [],
  });
  server.use(
    http.post('*/api/booking/crews', () =>
      HttpResponse.json({ crews: [crew(1, 53 * 60 + 30), crew(2, 15 * 60 + 15), crew(3, 435)] }),
    ),
  );
  await renderApp('/move-type', { draft: withItems });
  const cards = within(await screen.findByRole('group', { name: 'Number of mates' }));
  expect(await cards.findByText('Start 9:00 a.m., done about 2:30 p.m., 2 days later')).toBeVisible();
  expect(cards.getByText('Start 9:00 a.m., done about 12:15 a.m. the next day')).toBeVisible();
  expect(cards.getByText('Start 9:00 a.m., done about 4:15 p.m.')).toBeVisible();
});
