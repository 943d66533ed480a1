import { api, ifMatch, type Mate, unwrap } from '@portage/api';
import type { Day } from '@portage/kit/desk/dates';
import { queryOptions } from '@tanstack/react-query';

import type { Hub } from './use-address.ts';
import type {
  AbsenceRecord,
  AbsenceRequest,
  CalendarDay,
  CalendarDayRequest,
  CalendarDays,
  CalendarWeek,
  CalendarWeekRequest,
} from './types.ts';

/** Of everything that shows the calendar, and the absences that change it. */
export const calendarKey = ['desk', 'calendar'] as const;
const meta = { personal: true };

/** Days from the first to the last, both counted; the server answers 400 of them at most. */
export function readDays(hub: Hub, from: Day, to: Day, signal?: AbortSignal): Promise<CalendarDays> {
  return unwrap(
    api.GET('/calendar/{hub}', { params: { path: { hub }, query: { from, to } }, ...(signal ? { signal } : {}) }),
  );
}

export function yearQuery(hub: Hub, year: number) {
  return queryOptions({
    queryKey: [...calendarKey, 'year', hub, year],
    queryFn: ({ signal }) => readDays(hub, `${year}-01-01`, `${year}-12-31`, signal),
    meta,
  });
}

export function readWeek(hub: Hub): Promise<CalendarWeek> {
  return unwrap(api.GET('/calendar/{hub}/week', { params: { path: { hub } } }));
}

export function weekQuery(hub: Hub) {
  return queryOptions({ queryKey: [...calendarKey, 'week', hub], queryFn: () => readWeek(hub), meta });
}

export function saveWeek(hub: Hub, version: number, body: CalendarWeekRequest): Promise<CalendarWeek> {
  return unwrap(api.PUT('/calendar/{hub}/week', { params: { path: { hub }, header: ifMatch(version) }, body }));
}

export function saveDay(hub: Hub, date: Day, body: CalendarDayRequest): Promise<CalendarDay> {
  return unwrap(api.PUT('/calendar/{hub}/{date}', { params: { path: { hub, date } }, body }));
}

/** The day follows its week again; answers it as it is then. */
export async function followWeek(hub: Hub, date: Day): Promise<CalendarDay | undefined> {
  await unwrap(api.DELETE('/calendar/{hub}/{date}', { params: { path: { hub, date } } }));
  return (await readDays(hub, date, date)).days[0];
}

export function absencesQuery(hub: Hub, from: Day, to: Day) {
  return queryOptions({
    queryKey: [...calendarKey, 'absences', hub, from, to],
    queryFn: ({ signal }) => unwrap(api.GET('/absences', { params: { query: { hub, from, to } }, signal })),
    meta,
  });
}

export function addAbsence(body: AbsenceRequest, key: string): Promise<AbsenceRecord> {
  return unwrap(api.POST('/absences', { params: { header: { 'Idempotency-Key': key } }, body }));
}

export async function removeAbsence(id: string): Promise<void> {
  await unwrap(api.DELETE('/absences/{id}', { params: { path: { id } } }));
}

const matesPerPage = 100;

/** Every mate; a list of names to choose from is of no use when it ends after a page. */
async function readMates(signal: AbortSignal): Promise<Mate[]> {
  const mates: Mate[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await unwrap(api.GET('/mate', { params: { query: { page, per_page: matesPerPage } }, signal }));
    mates.push(...answer.data);
    if (answer.data.length < matesPerPage) return mates;
  }
}

/** Who can be away from a hub: its mates, with those of any hub, and its trucks; nobody who has left. */
export function awayQuery(hub: Hub) {
  return queryOptions({
    queryKey: ['desk', 'mates', 'away', hub],
    queryFn: async ({ signal }) => {
      const [mates, trucks] = await Promise.all([readMates(signal), unwrap(api.GET('/trucks', { signal }))]);
      return {
        mates: mates
          .filter(({ hubs, state }) => state !== 'archived' && (hubs.length === 0 || hubs.includes(hub)))
          .map(({ id, name, mateID }) => ({ id, name, number: mateID })),
        trucks: trucks.data
          .filter((truck) => truck.hub === hub && truck.state !== 'archived')
          .map(({ id, name, size }) => ({ id, name, size })),
      };
    },
    meta,
  });
}
