import type { components } from '@portage/api';

import { longestSeen, seenPlace } from './seen.ts';

type JobNote = components['schemas']['JobNote'];
type JobPhoto = components['schemas']['JobPhoto'];

/** What the crew of a job keeps on record, as a mate saw it last. It is forgotten with the jobs (`forgetSeen`). */
export interface SeenRecord {
  /** Who saw it. */
  who: string;
  /** When it was read, epoch milliseconds. */
  at: number;
  notes: JobNote[] | null;
  photos: JobPhoto[] | null;
  /** Small pictures as `data:` addresses, by the ids of their photos. */
  small: Record<string, string>;
}

const placeOf = (job: string) => `${seenPlace}.job.${job}`;
/** Characters of all records together: browsers keep some five millions of a site, and the jobs come first. */
const room = 2_500_000;
/** Pixels of the longer side of a small picture. */
const longestSide = 320;

function read(place: string): SeenRecord | null {
  try {
    const kept = JSON.parse(localStorage.getItem(place) ?? 'null') as SeenRecord | null;
    if (kept && Date.now() - kept.at < longestSeen) return kept;
    if (kept) localStorage.removeItem(place);
  } catch {
    // what cannot be read is as if it were not there
  }
  return null;
}

/** What this person saw last of a job's record; null where that is nothing, or too long ago. */
export function readSeenRecord(job: string, who: string): SeenRecord | null {
  const kept = read(placeOf(job));
  return kept && kept.who === who ? kept : null;
}

/** The other records, those read last first; what is too old is removed. */
function others(place: string): { place: string; at: number; size: number }[] {
  const places = Object.keys(localStorage).filter((one) => one.startsWith(placeOf('')) && one !== place);
  return places
    .flatMap((one) => {
      const kept = read(one);
      return kept ? [{ place: one, at: kept.at, size: localStorage.getItem(one)?.length ?? 0 }] : [];
    })
    .sort((a, b) => b.at - a.at);
}

function write(job: string, record: SeenRecord): void {
  const place = placeOf(job);
  try {
    const text = JSON.stringify(record);
    if (text.length > room) {
      // words count more than pictures
      if (Object.keys(record.small).length > 0) write(job, { ...record, small: {} });
      return;
    }
    let left = room - text.length;
    for (const other of others(place)) {
      left -= other.size;
      if (left < 0) localStorage.removeItem(other.place);
    }
    localStorage.setItem(place, text);
  } catch {
    // without room the pages show it only with network
  }
}

function change(job: string, who: string, by: (before: SeenRecord) => Partial<SeenRecord>): void {
  const before = readSeenRecord(job, who) ?? { who, at: Date.now(), notes: null, photos: null, small: {} };
  write(job, { ...before, ...by(before) });
}

export function keepSeenNotes(job: string, who: string, notes: JobNote[]): void {
  change(job, who, () => ({ at: Date.now(), notes }));
}

/** The photos there are; the picture of one that was taken away goes with it. */
export function keepSeenPhotos(job: string, who: string, photos: JobPhoto[]): void {
  change(job, who, ({ small }) => ({
    at: Date.now(),
    photos,
    small: Object.fromEntries(photos.flatMap(({ id }) => (small[id] ? [[id, small[id]]] : []))),
  }));
}

/** Keeps a small picture of a photo that was read. */
export async function keepSeenPicture(job: string, who: string, id: string, file: Blob): Promise<void> {
  if (readSeenRecord(job, who)?.small[id]) return;
  const picture = await smallPicture(file);
  if (picture === null) return;
  // it may have been taken away, or forgotten, while it was drawn
  const kept = readSeenRecord(job, who);
  if (kept?.photos?.some((photo) => photo.id === id))
    change(job, who, ({ small }) => ({ small: { ...small, [id]: picture } }));
}

/** A photo drawn small, as a `data:` address; null where the browser cannot draw it. */
async function smallPicture(file: Blob): Promise<string | null> {
  if (typeof createImageBitmap === 'undefined') return null;
  try {
    const whole = await createImageBitmap(file);
    const part = Math.min(1, longestSide / Math.max(whole.width, whole.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(whole.width * part));
    canvas.height = Math.max(1, Math.round(whole.height * part));
    canvas.getContext('2d')?.drawImage(whole, 0, 0, canvas.width, canvas.height);
    whole.close();
    return canvas.toDataURL('image/jpeg', 0.7);
  } catch {
    return null;
  }
}
