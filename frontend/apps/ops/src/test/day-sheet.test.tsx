import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import type { CrewJob } from '../shell/crew-job/items.tsx';
import { open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();

const end = (street: string, details = '') =>
  ({
    street,
    unit: '3',
    city: 'Laval',
    province: 'QC',
    fullAddress: `${street}, Laval`,
    coords: { lat: 45.5, lon: -73.6 },
    floor: 2,
    floors: 2,
    elevator: 0,
    parking: true,
    accessibility: 'easy',
    details,
    category: null,
  }) as unknown as CrewJob['pickup'];

const on = (mateId: string, name: string) => ({ mateId, name, acceptedAt: null, startedAt: null, finishedAt: null });

function job(shortId: string, over: Partial<CrewJob> = {}): CrewJob {
  return {
    id: shortId,
    shortId,
    status: 'assigned',
    moveKind: 'residential',
    date: '2027-03-01',
    time: '09:00',
    endTime: '11:00',
    zone: 'America/Toronto',
    startsAt: '2027-03-01T14:00:00Z',
    endsAt: '2027-03-01T16:00:00Z',
    durationMinutes: 120,
    mateCount: 2,
    clientAsMate: false,
    rideAlong: true,
    customerName: 'Ana Roy',
    customerPhone: null,
    pickup: end('1 Rue A', 'Door code 12'),
    dropoff: end('2 Rue B'),
    items: [{ id: 'piano', name: 'Piano', quantity: 1, heavy: true, assembly: false }],
    comments: '',
    notes: ['Ring twice'],
    crew: [on('m1', 'Ali Haddad')],
    truck: { id: 't1', name: 'Castor' },
    truckSize: '20ft',
    ...over,
  };
}

let asked: (string | null)[];

beforeEach(() => {
  signedInAs('ops');
  asked = [];
  server.use(
    http.get('*/api/dispatch/sheet', ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push(query.get('language'));
      const jobs = [job('AAAA11'), job('BBBB22', { crew: [on('m2', 'Bea Lin')], customerPhone: '514-555-0177' })];
      const mates = [
        { mateId: 'm1', languages: ['en'], away: true },
        { mateId: 'm2', languages: ['fr', 'zh'], away: false },
      ];
      return HttpResponse.json({ data: query.get('date') === '2027-03-01' ? jobs : [], mates });
    }),
  );
});

describe('the day sheet', () => {
  it('has what a crew needs at the door, in the language of the crew', async () => {
    const print = vi.spyOn(window, 'print').mockImplementation(() => {});
    const { user } = open('/dispatch/sheet?hub=montreal&day=2027-03-01&language=fr');
    const first = await screen.findByRole('article', { name: /AAAA11/ });
    expect(first.closest('[lang]')).toHaveAttribute('lang', 'fr-CA');
    for (const words of ['Lieu de départ', '3, 1 Rue A, Laval', 'Door code 12', 'Ring twice', 'Castor'])
      expect(within(first).getByText(words)).toBeVisible();
    expect(within(first).getByText(/Numéro de téléphone 24 heures avant/)).toBeVisible();
    expect(within(first).getByText(/Le client monte dans le camion\./)).toBeVisible();
    expect(within(first).getByText('lourd')).toBeVisible();
    expect(within(await screen.findByRole('article', { name: /BBBB22/ })).getByText(/514-555-0177/)).toBeVisible();
    // the page around it stays as it was
    expect(screen.getByRole('heading', { level: 1, name: 'Day sheet' })).toBeVisible();
    expect(asked).toEqual(['fr']);
    await user.click(screen.getByRole('button', { name: 'Print the sheet' }));
    expect(print).toHaveBeenCalledOnce();
  });

  it('is one mate’s where that is asked for, and says where there is nothing', async () => {
    const { user } = open('/dispatch/sheet?hub=montreal&day=2027-03-01');
    const first = await screen.findByRole('article', { name: /AAAA11/ });
    expect(within(first).getByText('Ali Haddad (away that day)')).toBeVisible();
    await user.selectOptions(screen.getByLabelText('For'), 'Bea Lin');
    // in the language she reads, which anybody may change
    const hers = await screen.findByRole('article', { name: /BBBB22/ });
    await waitFor(() => expect(hers.closest('[lang]')).toHaveAttribute('lang', 'fr-CA'));
    expect(screen.getByLabelText('Language of the paper')).toHaveDisplayValue('Français');
    expect(await screen.findByRole('heading', { level: 2, name: 'Bea Lin' })).toBeVisible();
    expect(screen.queryByRole('article', { name: /AAAA11/ })).toBeNull();
    await user.selectOptions(screen.getByLabelText('Hub'), 'Toronto');
    await screen.findByRole('article', { name: /AAAA11/ });
    cleanup();
    open('/dispatch/sheet?hub=montreal&day=2027-03-02');
    expect(await screen.findByText('There is no job to print')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Print the sheet' })).toBeDisabled();
  });
});
