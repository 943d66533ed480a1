import { startI18n } from '@portage/i18n';
import { render, screen } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';

import { Arrival } from './arrival.tsx';
import './texts.ts';

beforeAll(async () => {
  await startI18n(['domain']);
});

it('promises the hour the server promises, whatever the start is', () => {
  // no rule of our own would make this of nine o'clock
  render(<Arrival startsAt="2027-02-17T14:00:00Z" time="09:00" window={{ from: '08:10', until: '09:20' }} />);
  expect(screen.getByText(/8:10.*9:20/)).toBeVisible();
});
