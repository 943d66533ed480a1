import { emptyByHand, type Place } from '@portage/address';
import { accessibilities } from '@portage/api';

import { type Draft, emptyDraft } from './draft.ts';
import { categoryOf, type DraftEnd, emptyEnd, type End } from './ends.ts';

/** Raised when the stored shape changes; what an older version stored is carried over field by field, unknown fields are dropped. */
const version = 2;

export interface Revived {
  draft: Draft;
  revision: number;
}

type Fields = Record<string, unknown>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const calendarDay = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

/** Fields whose nonsense would break the pages that write it for people. */
const shapes: Partial<Record<keyof Draft, (value: unknown) => boolean>> = {
  date: (value) => typeof value === 'string' && calendarDay.test(value),
  time: (value) => typeof value === 'string' && /^\d{2}:\d{2}$/.test(value),
  startsAt: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  bookedRooms: isObject,
  arrivalWindow: (value) => {
    const window = value as Draft['arrivalWindow'];
    return [window?.from, window?.until].every((at) => typeof at === 'string' && /^\d{2}:\d{2}$/.test(at));
  },
  hold: (value) => typeof (value as Draft['hold'])?.endsAt === 'number',
  editedFrom: (value) => {
    const from = value as Draft['editedFrom'];
    return typeof from?.request === 'string' && typeof from.tip?.tipValue === 'string';
  },
  lostSlot: (value) => shapes.date?.((value as Draft['lostSlot'])?.date) ?? false,
};

/** Is it of the kind of `sample`? A field that starts as null has none to compare with. */
function alike(value: unknown, sample: unknown): boolean {
  if (sample === null) return true;
  return typeof value === typeof sample && Array.isArray(value) === Array.isArray(sample) && value !== null;
}

/** The fields of `sample`, each from `stored` where it fits; a damaged one costs itself, not the others. */
function taken<T extends object>(stored: unknown, sample: T): T {
  const fields = isObject(stored) ? stored : {};
  const known = Object.entries(sample).filter(([key, empty]) => key in fields && alike(fields[key], empty));
  return { ...sample, ...Object.fromEntries(known.map(([key]) => [key, fields[key]])) };
}

const noAddress = { country: '', province: '', postalCode: '', city: '', street: '', unit: '', fullAddress: '' };

function placeOf(stored: unknown): Place | null {
  if (!isObject(stored) || !isObject(stored['address'])) return null;
  const { address, coords, area } = stored;
  const point = isObject(coords) ? coords : {};
  const { lat, lon } = point;
  return {
    address: taken(address, noAddress),
    coords: typeof lat === 'number' && typeof lon === 'number' ? { lat, lon } : null,
    area: isObject(area) && typeof area['served'] === 'boolean' ? (area as unknown as Place['area']) : null,
  };
}

function endOf(stored: unknown): DraftEnd {
  const end = taken(stored, emptyEnd());
  return {
    ...end,
    place: placeOf(end.place),
    typed: typeof end.typed === 'string' ? end.typed : null,
    byHand: taken(end.byHand, emptyByHand()),
    accessibility: accessibilities.includes(end.accessibility) ? end.accessibility : 'easy',
    category: categoryOf(end.category),
  };
}

/** Version 1 had the fields of both ends side by side, as the specification names them. */
function endOfVersion1(draft: Fields, end: End): Fields {
  return {
    place: { address: draft[end], coords: draft[`${end}Coords`], area: draft[`${end}Area`] },
    typed: draft[`${end}Typed`] ?? null,
    byHand: draft[`${end}ByHand`],
    unit: draft[`${end}AptUnit`],
    floor: draft[`${end}Floor`],
    elevator: draft[`${end}HasElevator`],
    parking: draft[`${end}HasParking`],
    accessibility: draft[`${end}Accessibility`],
    details: draft[`${end}Details`],
  };
}

/** Takes over what fits of a stored draft, of this version or the one before. */
export function revive(raw: string | null): Revived | null {
  if (!raw) return null;
  try {
    const stored: unknown = JSON.parse(raw);
    if (!isObject(stored) || !isObject(stored['draft'])) return null;
    const { draft, revision } = stored;
    const both: Fields = isObject(draft['ends'])
      ? draft['ends']
      : { pickup: endOfVersion1(draft, 'pickup'), dropoff: endOfVersion1(draft, 'dropoff') };
    const fitting = Object.entries(draft).filter(
      ([key, value]) => value === null || shapes[key as keyof Draft]?.(value) !== false,
    );
    return {
      draft: {
        ...taken(Object.fromEntries(fitting), emptyDraft()),
        ends: { pickup: endOf(both['pickup']), dropoff: endOf(both['dropoff']) },
      },
      revision: Number(revision) || 0,
    };
  } catch {
    return null;
  }
}

export function stored(draft: Draft, revision: number): string {
  return JSON.stringify({ version, revision, draft });
}
