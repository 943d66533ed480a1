/** What a form asks about the day, the crew, the doors and the words of a move, by the names of the draft. */
export interface MoveForm {
  date: string;
  time: string;
  mateCount: string;
  rideAlong: boolean;
  clientAsMate: boolean;
  justMates: boolean;
  comments: string;
  discountCode: string;
  pickupAptUnit: string;
  pickupFloor: string;
  pickupHasElevator: string;
  pickupHasParking: boolean;
  pickupAccessibility: string;
  pickupDetails: string;
  dropoffAptUnit: string;
  dropoffFloor: string;
  dropoffHasElevator: string;
  dropoffHasParking: boolean;
  dropoffAccessibility: string;
  dropoffDetails: string;
}
export type MoveKey = keyof MoveForm;

const numbers = new Set<string>([
  'mateCount',
  'pickupFloor',
  'pickupHasElevator',
  'dropoffFloor',
  'dropoffHasElevator',
] satisfies MoveKey[]);

/** These fields as the calls take them: what counts as a number, everything else as it stands. */
export function draftOf(form: MoveForm, keys: readonly MoveKey[]): Record<string, string | number | boolean> {
  return Object.fromEntries(keys.map((key) => [key, numbers.has(key) ? Number(form[key]) : form[key]] as const));
}
