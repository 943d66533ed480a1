import { truckSizes } from '@portage/api';
import { problem } from '@portage/mock-api';
import { http, HttpResponse } from 'msw';

import type {
  AbsenceRecord,
  AbsenceRequest,
  CalendarDay,
  CalendarDayRequest,
  CalendarWeekRequest,
  CrewCapacity,
} from '../features/calendar/types.ts';

/** What the calendar's calls answer from. */
export interface CalendarWorld {
  today: string;
  week: CrewCapacity[];
  version: number;
  /** Days with numbers of their own. */
  own: Map<string, { numbers: CrewCapacity; reason: string }>;
  taken: Map<string, CrewCapacity>;
  holidays: Map<string, string>;
  absences: AbsenceRecord[];
  /** Moves that the answer to an absence names. */
  assigned: { id: string; shortId: string }[];
  /** Calls that changed something, oldest first. */
  asked: { method: string; path: string; body: unknown; version: string | null; key: string | null }[];
}

export const some = (mates: number, small = 4, middle = 4, large = 3): CrewCapacity => ({
  mates,
  trucks: { '10ft': small, '20ft': middle, '26ft': large },
});
const none = some(0, 0, 0, 0);

export function someAbsence(change: Partial<AbsenceRecord> = {}): AbsenceRecord {
  return {
    id: 'absence-1',
    hub: 'montreal',
    who: { type: 'truck', id: 'truck-1', name: 'Castor' },
    from: '2027-07-01',
    to: '2027-07-03',
    reason: 'Gearbox',
    createdAt: '2027-06-01T15:00:00Z',
    ...change,
  };
}

/** A hub with 24 mates on each day; July 1 is a holiday on which all of them are taken. */
export function freshCalendar(change: Partial<CalendarWorld> = {}): CalendarWorld {
  return {
    today: '2027-06-15',
    week: Array.from({ length: 7 }, () => some(24)),
    version: 3,
    own: new Map(),
    taken: new Map([['2027-07-01', some(24, 2, 4, 3)]]),
    holidays: new Map([['2027-07-01', 'Canada Day']]),
    absences: [],
    assigned: [],
    asked: [],
    ...change,
  };
}

const msPerDay = 86_400_000;

function dayOf(world: CalendarWorld, date: string): CalendarDay {
  const weekday = (new Date(`${date}T12:00:00Z`).getUTCDay() + 6) % 7;
  const own = world.own.get(date);
  const planned = own?.numbers ?? world.week[weekday] ?? none;
  const away = world.absences.filter(({ from, to }) => from <= date && date <= to);
  const awayOf = (type: string) => away.filter(({ who }) => who.type === type).length;
  const absent = some(awayOf('mate'), 0, awayOf('truck'), 0);
  const holiday = world.holidays.get(date);
  return {
    date,
    planned,
    absent,
    offered: {
      mates: Math.max(0, planned.mates - absent.mates),
      trucks: Object.fromEntries(
        truckSizes.map((size) => [size, Math.max(0, (planned.trucks[size] ?? 0) - (absent.trucks[size] ?? 0))]),
      ) as CrewCapacity['trucks'],
    },
    taken: world.taken.get(date) ?? none,
    override: own ? { reason: own.reason } : null,
    closed: planned.mates === 0,
    holiday: holiday ? { code: 'canada-day', name: holiday } : null,
  };
}

/** As the server refuses numbers that are too small for what is taken already. */
function shortOf(world: CalendarWorld, hub: string, date: string, mates: number): Response | undefined {
  const taken = world.taken.get(date)?.mates ?? 0;
  return taken > mates
    ? problem(409, 'capacity_taken', 'Too few.', {
        shortfalls: [{ hub, date, what: 'mates', taken, offered: mates }],
      })
    : undefined;
}

export function calendarHandlers(world: CalendarWorld) {
  const note = async (request: Request) => {
    const text = await request.clone().text();
    world.asked.push({
      method: request.method,
      path: new URL(request.url).pathname.replace(/^\/api/, ''),
      body: text ? (JSON.parse(text) as unknown) : null,
      version: request.headers.get('If-Match'),
      key: request.headers.get('Idempotency-Key'),
    });
  };
  const place = (hub: unknown) => ({ hub: String(hub), zone: 'America/Toronto', province: 'QC', today: world.today });
  const weekAnswer = (hub: unknown) => ({ ...place(hub), week: world.week, version: world.version });
  return [
    http.get('*/api/calendar/:hub/week', ({ params }) => HttpResponse.json(weekAnswer(params['hub']))),
    http.put('*/api/calendar/:hub/week', async ({ request, params }) => {
      await note(request);
      if (request.headers.get('If-Match') !== `"${world.version}"`)
        return problem(412, 'version_conflict', 'Changed meanwhile.');
      const { week } = (await request.json()) as CalendarWeekRequest;
      const tried = { ...world, week };
      for (const date of world.taken.keys()) {
        const refused = shortOf(world, String(params['hub']), date, dayOf(tried, date).offered.mates);
        if (refused) return refused;
      }
      world.week = week;
      world.version += 1;
      return HttpResponse.json(weekAnswer(params['hub']));
    }),
    http.get('*/api/calendar/:hub', ({ request, params }) => {
      const query = new URL(request.url).searchParams;
      const [from, to] = [query.get('from') ?? '', query.get('to') ?? ''].map((day) => Date.parse(`${day}T12:00:00Z`));
      const days: CalendarDay[] = [];
      for (let at = from ?? 0; at <= (to ?? 0); at += msPerDay)
        days.push(dayOf(world, new Date(at).toISOString().slice(0, 10)));
      return HttpResponse.json({ ...place(params['hub']), days });
    }),
    http.put('*/api/calendar/:hub/:date', async ({ request, params }) => {
      await note(request);
      const { reason, ...numbers } = (await request.json()) as CalendarDayRequest;
      const date = String(params['date']);
      const refused = shortOf(world, String(params['hub']), date, numbers.mates);
      if (refused) return refused;
      world.own.set(date, { numbers, reason: reason ?? '' });
      return HttpResponse.json(dayOf(world, date));
    }),
    http.delete('*/api/calendar/:hub/:date', async ({ request, params }) => {
      await note(request);
      world.own.delete(String(params['date']));
      return new HttpResponse(null, { status: 204 });
    }),
    http.get('*/api/absences', ({ request }) => {
      const query = new URL(request.url).searchParams;
      const [first, last] = [query.get('from') ?? '', query.get('to') ?? '9999-12-31'];
      return HttpResponse.json({ data: world.absences.filter(({ from, to }) => from <= last && to >= first) });
    }),
    http.post('*/api/absences', async ({ request }) => {
      await note(request);
      const { mateId, truckId, from, to, reason } = (await request.json()) as AbsenceRequest;
      const id = mateId ?? truckId ?? '';
      if (world.absences.some((one) => one.who.id === id && one.from <= to && one.to >= from))
        return problem(409, 'absence_overlaps', 'They are away on some of these days already.');
      const made = someAbsence({
        id: `absence-${world.absences.length + 1}`,
        who: mateId ? { type: 'mate', id, name: 'Nadia Roy' } : { type: 'truck', id, name: 'Castor' },
        from,
        to,
        reason: reason ?? '',
      });
      world.absences = [...world.absences, made];
      return HttpResponse.json({ ...made, assigned: world.assigned }, { status: 201 });
    }),
    http.delete('*/api/absences/:id', async ({ request, params }) => {
      await note(request);
      world.absences = world.absences.filter(({ id }) => id !== params['id']);
      return new HttpResponse(null, { status: 204 });
    }),
  ];
}
