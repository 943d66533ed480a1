// @vitest-environment node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ical from 'node-ical';
import { describe, expect, it } from 'vitest';

/** What a feed says; a test of the server (`crates/service/tests/feeds.rs`) keeps the files true. */
const golden = join(import.meta.dirname, '../../crates/service/tests/golden');
const read = (name: string) => {
  const all = Object.values(ical.sync.parseICS(readFileSync(join(golden, name), 'utf8')));
  return all.filter((one) => one?.type === 'VEVENT').map((one) => one as ical.VEvent);
};
const id = (n: number) => `01900000-0000-7000-8000-00000000000${n}`;

describe('a calendar program that is not ours', () => {
  it('reads the jobs of a mate at their instants', () => {
    const events = read('mate.ics');
    expect(events.map(({ uid }) => uid)).toEqual([id(0), id(1), id(2)]);
    // nine in the morning in Montréal, Calgary (UTC-6 since June 2026) and Vancouver (UTC-7 since March 2026)
    expect(events.map(({ start }) => start.toISOString())).toEqual([
      '2027-02-09T14:00:00.000Z',
      '2027-02-22T15:00:00.000Z',
      '2027-02-25T16:00:00.000Z',
    ]);
    for (const event of events) {
      expect(event.end?.getTime()).toBeGreaterThan(event.start.getTime());
      expect(event.status).toBe('CONFIRMED');
      expect(Number(event.sequence)).toBeGreaterThan(0);
      expect(JSON.stringify(event)).not.toMatch(/[@$]/);
    }
  });

  it('reads what people typed as they typed it', () => {
    const [first] = read('mate.ics');
    expect(first?.summary).toBe('Contrat AAAA0A · Montréal → Montréal');
    expect(first?.location).toContain('1200 Rue Peel, Montréal');
    for (const words of [
      'Sonnez 2 fois; code 12, \\ 5',
      'Attention au chien\nEntrée par la ruelle, s’il vous plaît',
      'Client\u00A0: 王小明',
      'Équipe\u00A0: Mate1 Tester, Mate2 Tester',
    ])
      expect(first?.description).toContain(words);
  });

  it('reads the moves of a hub, with those that wait for a crew', () => {
    const events = read('hub.ics');
    expect(events.map(({ uid, status, summary }) => ({ uid, status, summary }))).toEqual([
      { uid: id(0), status: 'CONFIRMED', summary: 'AAAA0A · assignée · Mate1 Tester, Mate2 Tester' },
      { uid: id(3), status: 'TENTATIVE', summary: 'AAAA3A · en attente · équipe à nommer' },
    ]);
    for (const event of events) expect(JSON.stringify(event)).not.toMatch(/[@$]|王小明|chien/);
  });
});
