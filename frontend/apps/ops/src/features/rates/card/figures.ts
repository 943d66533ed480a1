import { type ExtraService, extraServices, type MoveKind, moveKinds } from '@portage/api';

import type { Kind } from './numbers.ts';
import { type Card, getAt, isObject, type Json } from './paths.ts';

/** Figures of the card as a whole. */
const generalFigures = {
  level_one_threshold: 'volume',
  level_two_threshold: 'volume',
  one_truck_usable_cubic_feet: 'volume',
  max_online_heads: 'whole',
  long_distance_over_km: 'km',
} as const satisfies Record<string, Kind>;

/** Figures of the rates of a place, in the groups they are shown in. */
export const rateGroups = {
  hourly: { first_mate_hourly: 'money', first_mate_hourly_no_truck: 'money', additional_mate_hourly: 'money' },
  way: {
    travel_fee_min: 'minutes',
    included_km: 'km',
    km_fee: 'money',
    long_distance_km_fee: 'money',
    return_labour_bp: 'percent',
    ride_along_fee: 'money',
  },
  overtime: { overtime_bp: 'factor', overtime_grace_min: 'minutes', overtime_step_min: 'minutes' },
} as const satisfies Record<string, Record<string, Kind>>;

/** Figures of the model that turns belongings and access into minutes. */
const durationFigures = {
  cubic_feet_per_mate_hour: 'volume',
  client_productivity_milli: 'thousandths',
  stairs_bp_per_floor: 'percent',
  stairs_bp_cap: 'percent',
  elevator_bp: 'percent',
  elevator_multi_bp: 'percent',
  no_parking_bp: 'percent',
  assembly_mate_minutes: 'minutes',
  contingency_bp: 'percent',
  storage_extra_min: 'minutes',
  ride_along_min: 'minutes',
  driving_break_every_min: 'minutes',
  driving_break_min: 'minutes',
  round_up_to_min: 'minutes',
  minimum_min: 'minutes',
  single_head_limit_min: 'minutes',
  big_item_min_cubic_feet: 'volume',
} as const satisfies Record<string, Kind>;

const grades = ['easy', 'moderate', 'difficult'] as const;
const kindFigures = {
  handling_bp: 'factor',
  setup_min: 'minutes',
  limit_min: 'minutes',
  unload_bp: 'factor',
} as const satisfies Record<string, Kind>;
/** Sizes of a move by its volume. */
export const tiers = [1, 2, 3] as const;

type Hourly = keyof typeof rateGroups.hourly;
type Way = keyof typeof rateGroups.way;
type Overtime = keyof typeof rateGroups.overtime;
/** What a figure is called: the key of its name. */
export type FigureName =
  | 'about'
  | keyof typeof generalFigures
  | Hourly
  | Way
  | Overtime
  | keyof typeof durationFigures
  | keyof typeof kindFigures
  | 'truck_fee'
  | 'minimum'
  | 'service'
  | 'grade'
  | 'heads'
  | 'item_heads'
  | 'support_item'
  | 'period_name'
  | 'multiplier_bp'
  | 'tax_type'
  | 'rate_ppm'
  | 'component_name'
  | 'component_rate';

/** One value of the card that is typed: where it stands, what it is and what it is called. */
export interface Figure {
  path: string;
  kind: Kind;
  name: FigureName;
  /** It may be missing in the card; nothing typed leaves it out. */
  optional?: boolean;
  /** Nothing typed is a value, too. */
  mayBeEmpty?: boolean;
  /** The place of the list of three that it belongs to: all of them are there, or none. */
  tuple?: string;
  /** Where the value stands that holds when this one is missing. */
  instead?: string;
  tier?: number;
  moveKind?: MoveKind;
  service?: ExtraService;
  grade?: (typeof grades)[number];
  /** What the figure is of, in the words of the card. */
  of?: string;
}

/** The figures of a table that stand in one object of the card. */
function each<K extends FigureName>(
  table: Record<K, Kind>,
  above: string,
  more: (key: K) => Partial<Figure> = () => ({}),
): Figure[] {
  return (Object.keys(table) as K[]).map((key): Figure => ({
    path: above ? `${above}.${key}` : key,
    kind: table[key],
    name: key,
    ...more(key),
  }));
}

/** The key of a service in the card. */
const serviceKey = (service: ExtraService) => (service === 'tvMounting' ? 'tv_mounting' : service);

/** Whether the least minutes of a kind of move differ by the size of the move. */
export function bySize(card: Card, path: string): boolean {
  return Array.isArray(getAt(card, path));
}

/** The figures of the rates of a place; a province has only those that differ from everywhere else. */
export function rateFigures(card: Card, place: string) {
  const above = `rates.${place}`;
  const province = place !== 'default';
  const option = (key: string): Partial<Figure> =>
    province ? { optional: true, instead: `rates.default.${key}` } : {};
  const group = <K extends FigureName>(table: Record<K, Kind>) => each(table, above, option);
  const truck = tiers.map((tier): Figure => ({
    path: `${above}.truck_fee_by_tier[${tier - 1}]`,
    kind: 'money',
    name: 'truck_fee',
    tier,
    tuple: `${above}.truck_fee_by_tier`,
    ...option(`truck_fee_by_tier[${tier - 1}]`),
  }));
  const minimum = moveKinds.flatMap((moveKind): Figure[] => {
    const path = `${above}.minimum_billed_min.${moveKind}`;
    const one = { kind: 'minutes', name: 'minimum', moveKind } as const;
    if (!bySize(card, path)) return [{ ...one, path, ...option(`minimum_billed_min.${moveKind}`) }];
    return tiers.map((tier) => ({
      ...one,
      path: `${path}[${tier - 1}]`,
      tier,
      tuple: path,
      ...(province ? { optional: true } : {}),
    }));
  });
  const services = extraServices.map((service): Figure => ({
    path: `${above}.extra_services.${serviceKey(service)}`,
    kind: 'money',
    name: 'service',
    service,
    optional: true,
    ...(province ? { instead: `rates.default.extra_services.${serviceKey(service)}` } : {}),
  }));
  return {
    hourly: group(rateGroups.hourly),
    truck,
    way: group(rateGroups.way),
    overtime: group(rateGroups.overtime),
    minimum,
    services,
  };
}

const keysAt = (card: Card, path: string): string[] => {
  const value = getAt(card, path);
  return isObject(value) ? Object.keys(value) : [];
};
/** Entries of a list of the card. */
export function entriesAt(card: Card, path: string): Json[] {
  const value = getAt(card, path);
  return Array.isArray(value) ? value : [];
}

/** Provinces with rates of their own. */
export const ratePlaces = (card: Card) => keysAt(card, 'rates').filter((key) => key !== 'default');
/** Provinces with taxes of their own, and what enters Quebec from elsewhere. */
export const taxPlaces = (card: Card) => keysAt(card, 'taxes');

export function generalOf(): Figure[] {
  return [...each(generalFigures, ''), { path: 'about', kind: 'text', name: 'about', mayBeEmpty: true }];
}

export function periodFigures(index: number): { name: Figure; factor: Figure } {
  const above = `periods[${index}]`;
  return {
    name: { path: `${above}.name`, kind: 'text', name: 'period_name' },
    factor: { path: `${above}.multiplier_bp`, kind: 'factor', name: 'multiplier_bp' },
  };
}

interface TaxFigures {
  type: Figure;
  rate: Figure;
  parts: { name: Figure; rate: Figure }[];
}

export function taxFigures(card: Card, place: string): TaxFigures {
  const above = `taxes.${place}`;
  return {
    type: { path: `${above}.type`, kind: 'text', name: 'tax_type' },
    rate: { path: `${above}.rate_ppm`, kind: 'tax', name: 'rate_ppm' },
    parts: entriesAt(card, `${above}.components`).map((_, index) => ({
      name: { path: `${above}.components[${index}].name`, kind: 'text', name: 'component_name' },
      rate: { path: `${above}.components[${index}].rate_ppm`, kind: 'tax', name: 'component_rate' },
    })),
  };
}

export function durationOf(card: Card) {
  const at = (path: string) => `duration.${path}`;
  return {
    plain: each(durationFigures, 'duration'),
    access: grades.map((grade): Figure => ({
      path: at(`accessibility_bp.${grade}`),
      kind: 'percent',
      name: 'grade',
      grade,
    })),
    heads: keysAt(card, at('crew_efficiency_bp')).map((of): Figure => ({
      path: at(`crew_efficiency_bp.${of}`),
      kind: 'percent',
      name: 'heads',
      of,
    })),
    items: keysAt(card, at('min_heads_by_item')).map((of): Figure => ({
      path: at(`min_heads_by_item.${of}`),
      kind: 'whole',
      name: 'item_heads',
      of,
    })),
    support: entriesAt(card, at('support_only_items')).map((_, index): Figure => ({
      path: at(`support_only_items[${index}]`),
      kind: 'text',
      name: 'support_item',
    })),
    kinds: moveKinds.map((moveKind) => ({
      moveKind,
      figures: each(kindFigures, at(`kinds.${moveKind}`), (key) => ({
        moveKind,
        ...(key === 'unload_bp' ? { optional: true } : {}),
      })),
    })),
  };
}

/** Every value of the card that is typed. */
export function figuresOf(card: Card): Figure[] {
  const duration = durationOf(card);
  return [
    ...generalOf(),
    ...['default', ...ratePlaces(card)].flatMap((place) => Object.values(rateFigures(card, place)).flat()),
    ...entriesAt(card, 'periods').flatMap((_, index) => Object.values(periodFigures(index))),
    ...taxPlaces(card).flatMap((place) => {
      const { type, rate, parts } = taxFigures(card, place);
      return [type, rate, ...parts.flatMap((part) => [part.name, part.rate])];
    }),
    ...duration.plain,
    ...duration.access,
    ...duration.heads,
    ...duration.items,
    ...duration.support,
    ...duration.kinds.flatMap(({ figures }) => figures),
  ];
}

/** Places of what is chosen instead of typed. */
export function choicesOf(card: Card): string[] {
  return [
    ...entriesAt(card, 'periods').flatMap((_, index) =>
      ['rule', 'from', 'to', 'provinces', 'provinces_except'].map((key) => `periods[${index}].${key}`),
    ),
    ...moveKinds.flatMap((kind) => ['assembly', 'curbside'].map((key) => `duration.kinds.${kind}.${key}`)),
  ];
}
