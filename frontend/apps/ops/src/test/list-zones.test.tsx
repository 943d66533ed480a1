import type { DeskBooking } from '@portage/api';
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';

import { desk, open, signedInAs, useDesk } from './render-desk.tsx';

useDesk();
beforeEach(() => signedInAs('ops'));

it('says by which clock a move begins, where that is not the one of Montreal', async () => {
  const [here, there] = desk.world.bookings.slice(0, 2) as [DeskBooking, DeskBooking];
  desk.world.bookings = [
    { ...here, customerName: 'Here', time: '10:00', startsAt: '2027-02-10T15:00:00Z' },
    { ...there, customerName: 'There', zone: 'America/Vancouver', time: '09:00', startsAt: '2027-02-10T17:00:00Z' },
  ];
  open('/bookings');
  const west = await screen.findByRole('row', { name: /There/ });
  expect(within(west).getByText('PST')).toHaveAttribute('title', 'Vancouver time');
  expect(west).toHaveTextContent(/9:00 a\.m\. PST/);
  expect(screen.getByRole('row', { name: /Here/ })).not.toHaveTextContent(/EST|Montreal/);
});
