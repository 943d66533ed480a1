/** One day, so that pictures stay the same. */
export const today = '2027-06-24';

export type State = 'pending' | 'assigned' | 'progress' | 'done' | 'problem' | 'cancelled';

export interface Booking {
  code: string;
  name: string;
  day: string;
  time: string;
  from: string;
  to: string;
  hub: 'montreal' | 'laval' | 'quebec' | 'toronto';
  crew: readonly string[];
  needs: number;
  volume: number;
  total: string;
  paid: 'deposit' | 'full' | 'failed';
  state: State;
}

const people = [
  'Camille Roy',
  'Jean-Philippe Beauchemin-Larocque',
  'Wei Chen',
  'Amira Haddad',
  'Noah Tremblay',
  '李雨桐',
  'Olivia Martin',
  'Étienne Côté',
];
const places = [
  'Plateau',
  'Laval',
  'Verdun',
  'Griffintown',
  'Notre-Dame-de-Grâce',
  'Longueuil',
  'Rosemont',
  'Outremont',
];
const hubs = ['montreal', 'laval', 'quebec', 'toronto'] as const;
const states: State[] = ['pending', 'assigned', 'assigned', 'progress', 'done', 'problem', 'assigned', 'cancelled'];
const crews = [[], ['Ali', 'Marc'], ['Sofia', 'Marc', 'Tariq'], ['Ali'], ['Léa', 'Tariq']];

/** Sixty bookings that are always the same. */
export const bookings: readonly Booking[] = Array.from({ length: 60 }, (_, n) => {
  const state = states[(n * 5) % states.length] ?? 'pending';
  const crew = state === 'pending' ? [] : (crews[1 + (n % 4)] ?? []);
  return {
    code: ((n + 7) * 7919 * 613).toString(36).toUpperCase().slice(-6).padStart(6, '4'),
    name: people[(n * 3) % people.length] ?? '',
    day: new Date(Date.UTC(2027, 5, 24 + Math.floor(n / 5), 12)).toISOString().slice(0, 10),
    time: `${String(8 + ((n * 3) % 9)).padStart(2, '0')}:${n % 2 ? '30' : '00'}`,
    from: places[n % places.length] ?? '',
    to: places[(n * 3 + 1) % places.length] ?? '',
    hub: hubs[n % hubs.length] ?? 'montreal',
    crew,
    needs: state === 'pending' ? 2 + (n % 3) : 0,
    volume: 12 + ((n * 37) % 61),
    total: (280 + ((n * 13_719) % 190_000) / 100).toFixed(2),
    paid: state === 'problem' ? 'failed' : n % 3 === 0 ? 'deposit' : 'full',
    state,
  };
});
