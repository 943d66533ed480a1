import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, it } from 'vitest';

import { open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();
beforeEach(() => {
  signedInAs('ops');
});

const report = {
  dryRun: true,
  saved: false,
  rows: 3,
  added: 2,
  changed: 1,
  unchanged: 0,
  errors: [] as { line: number; column: string | null; message: string }[],
  moreErrors: 0,
};
const csv = (name: string) => new File(['name,size,hub\n'], name, { type: 'text/csv' });

it('tells what is wrong with a file by line, and imports one that is in order', async () => {
  const calls: { dryRun: string | null; key: string | null; type: string | null }[] = [];
  const wrong = [{ line: 4, column: 'hub', message: 'Hub is not known.' }];
  let errors = wrong;
  server.use(
    http.post('*/api/catalogues/trucks/csv', ({ request }) => {
      const dryRun = new URL(request.url).searchParams.get('dryRun');
      calls.push({ dryRun, key: request.headers.get('Idempotency-Key'), type: request.headers.get('Content-Type') });
      return HttpResponse.json({ ...report, dryRun: dryRun === 'true', saved: dryRun === 'false', errors });
    }),
  );
  const { user } = open('/trucks');
  await user.click(await screen.findByRole('button', { name: 'Import CSV' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Import CSV' }));
  await user.upload(dialog.getByTestId('file-input'), csv('wrong.csv'));
  const row = (await dialog.findByText('Hub is not known.')).closest('tr') as HTMLElement;
  expect(within(row).getByText('4')).toBeVisible();
  expect(within(row).getByText('hub')).toBeVisible();
  expect(dialog.queryByRole('button', { name: /^Import \d/ })).toBeNull();

  errors = [];
  // the corrected file takes the place of the first
  await user.upload(dialog.getByTestId('file-input'), csv('right.csv'));
  expect(await dialog.findByText('2 new')).toBeVisible();
  expect(dialog.queryByText('wrong.csv')).toBeNull();
  expect(dialog.queryByText('Hub is not known.')).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Import 3 rows' }));
  expect(await screen.findByText('3 rows imported.')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Import CSV' })).toBeNull());
  expect(calls.map((call) => call.dryRun)).toEqual(['true', 'true', 'false']);
  expect(calls.at(-1)?.type).toBe('text/csv');
  expect(calls.map((call) => call.key !== null)).toEqual([false, false, true]);
});

it('exports and imports the versions of the rates, and says that none is changed', async () => {
  const { user } = open('/rates');
  expect(await screen.findByRole('button', { name: 'Export CSV' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Import CSV' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Import CSV' }));
  expect(dialog.getByText(/a version that is there is never changed/)).toBeVisible();
});
