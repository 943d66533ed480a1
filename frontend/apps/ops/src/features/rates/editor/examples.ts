import type { EstimateRequest, FurnitureCatalogue, Province } from '@portage/api';

/** A move that nobody booked, as it is typed. */
export interface Example {
  /** One of the ready-made inventories. */
  home: string;
  mates: string;
  km: string;
  minutes: string;
  province: Province;
  /** Empty: an ordinary day. */
  day: string;
}

/** So many are priced at most. */
export const mostExamples = 20;

/** Around the corner. */
export const nextExample: Example = {
  home: 'studio',
  mates: '2',
  km: '8',
  minutes: '20',
  province: 'QC',
  day: '',
};

/** Around the corner, across the city, to another one. */
export const firstExamples: readonly Example[] = [
  nextExample,
  { home: 'two-bedroom', mates: '3', km: '15', minutes: '30', province: 'QC', day: '' },
  { home: 'three-bedroom', mates: '4', km: '250', minutes: '170', province: 'QC', day: '' },
];

const whole = (text: string, least: number, most: number): number | null => {
  const count = /^\d{1,5}$/.test(text.trim()) ? Number(text) : -1;
  return count >= least && count <= most ? count : null;
};

/** The move as it is asked about; null when something of it is no such number. */
export function moveOf(example: Example, { presets }: FurnitureCatalogue): EstimateRequest | null {
  const [mates, km, minutes] = [
    whole(example.mates, 1, 20),
    whole(example.km, 0, 9_999),
    whole(example.minutes, 1, 9_999),
  ];
  const home = presets.find(({ id }) => id === example.home);
  if (mates === null || km === null || minutes === null || !home) return null;
  const ground = { floor: 0, elevator: 0, parking: true };
  const place = { province: example.province };
  return {
    travelDuration: minutes,
    distanceKm: `${km}.0`,
    selectedFurnitures: { furnitures: home.items },
    mateCount: mates,
    locationDetails: [ground, ground],
    pickupAddress: place,
    dropoffAddress: place,
    ...(example.day === '' ? {} : { movingDate: example.day }),
  } as EstimateRequest;
}
