import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';

import { DeskButton } from '../button/button.tsx';
import { renderDesk, useTexts } from '../test/render-desk.tsx';
import { Failed, NothingFound, NothingYet, Skeleton } from './states.tsx';

useTexts();

it('says what belongs here and offers one way to begin', () => {
  renderDesk(
    <NothingYet title="No mates yet" action={<DeskButton>Add a mate</DeskButton>}>
      They get their jobs on their phone.
    </NothingYet>,
  );
  expect(screen.getByText('No mates yet')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Add a mate' })).toBeVisible();
});

it('tells empty because of filters from empty, with the way out', async () => {
  const onClear = vi.fn();
  const { user } = renderDesk(<NothingFound filters="Status: pending" onClear={onClear} />);
  expect(screen.getByText('Status: pending')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Clear all' }));
  expect(onClear).toHaveBeenCalledOnce();
});

it('says what failed, with a retry and the number to quote', async () => {
  const onRetry = vi.fn();
  const failure = { status: 503, detail: 'stack trace', requestId: 'r-1' };
  const { user } = renderDesk(<Failed title="No price" failure={failure} onRetry={onRetry} />);
  const alert = screen.getByRole('alert');
  expect(alert).toHaveTextContent('No price');
  expect(alert).toHaveTextContent('r-1');
  // what a server writes about itself is not for people
  expect(alert).not.toHaveTextContent('stack trace');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(onRetry).toHaveBeenCalledOnce();
});

it('says aloud what is being fetched', () => {
  renderDesk(<Skeleton label="Loading the booking" kind="record" />);
  expect(screen.getByRole('status', { name: 'Loading the booking' })).toBeInTheDocument();
});
