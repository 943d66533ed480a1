import { describe, expect, it } from 'vitest';

import { someJob } from '../../test/dispatch-world.ts';
import { replacementsOf } from './replacements.ts';
import type { CrewSuggestions } from './types.ts';

const mate = (id: string, free: boolean, suggested = false) => ({
  id,
  name: id,
  free,
  suggested,
  onIt: false,
  away: false,
  ended: [],
  awayOn: [],
  crew: [],
  taken: null,
  reasons: [],
  minutesThatWeek: 0,
  jobsThatDay: 0,
  wayMinutes: 0,
});
const on = (mateId: string) => ({ mateId, name: mateId, acceptedAt: null, startedAt: null, finishedAt: null });
const found = (...mates: CrewSuggestions['mates']): CrewSuggestions => ({ wanted: 2, mates, trucks: [] });

describe('who goes instead', () => {
  it('is somebody free who is not on the job, the suggested one first', () => {
    const job = someJob({ crew: [on('gone'), on('stays')] });
    const [row] = replacementsOf(
      'gone',
      [job],
      [
        found(
          mate('gone', true, true),
          mate('stays', true, true),
          mate('busy', false),
          mate('b', true),
          mate('a', true, true),
        ),
      ],
    );
    expect(row?.free.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(row?.mateId).toBe('a');
  });

  it('is not the same person for two jobs that meet, and may be for two that do not', () => {
    const first = someJob({ id: '1' });
    const meets = someJob({ id: '2', occupiedFrom: '2027-03-01T16:59:00Z', occupiedUntil: '2027-03-01T20:00:00Z' });
    const later = someJob({ id: '3', occupiedFrom: '2027-03-01T20:00:00Z', occupiedUntil: '2027-03-01T22:00:00Z' });
    const both = found(mate('a', true), mate('b', true));
    const rows = replacementsOf('gone', [first, meets, later], [both, both, both]);
    expect(rows.map(({ mateId }) => mateId)).toEqual(['a', 'b', 'a']);
    const one = found(mate('a', true));
    expect(replacementsOf('gone', [first, meets], [one, one]).map(({ mateId }) => mateId)).toEqual(['a', null]);
  });
});
