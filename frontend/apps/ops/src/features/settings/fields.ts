import { provinces as knownProvinces } from '@portage/api';

import { type Group, type GroupRecord, valuesOf } from './types.ts';

/** How a value is written in the form, and read out of it. */
export type Kind =
  | 'text'
  | 'email'
  | 'phone'
  | 'gst'
  | 'qst'
  | 'neq'
  | 'percent'
  | 'whole'
  | 'hours'
  | 'money'
  | 'time'
  | 'yes'
  | 'choice';

const companyKeys = [
  'name',
  'address',
  'supportEmail',
  'supportPhone',
  'gstNumber',
  'qstNumber',
  'neq',
  'logo',
  'replyTo',
] as const;
const policyKeys = [
  'deposit',
  'freeWindow',
  'lockWindow',
  'changeFee',
  'changeFeeMode',
  'depositRetry',
  'balanceRetry',
  'otherRetry',
  'autoRelease',
  'tipDelay',
  'minGapBetweenCharges',
  'retention',
  'afterFree',
  'afterLock',
  'mode',
  'reviewRequired',
  'provinces',
  'ownRetention',
  'trustAccountAfterDays',
  'maxOverrun',
  'maxOverrunAmount',
] as const;
const schedulingKeys = [
  'opens',
  'closes',
  'stepMinutes',
  'lateStartUntil',
  'latestEnd',
  'latestEndLongDistance',
  'windowMinutes',
  'minLeadMinutes',
  'nextDayCutoff',
  'horizonDays',
] as const;

/** The end of the keys of a value's texts: `label.…` and `help.…`. */
export type Key = (typeof companyKeys)[number] | (typeof policyKeys)[number] | (typeof schedulingKeys)[number];

export const changeFeeModes = ['auto', 'manual', 'off'] as const;
export const retentionModes = ['policy', 'actual_costs'] as const;

/** One input. */
export interface Leaf {
  /** Where its value stands, in the form as in the answers of the server. */
  path: string;
  key: Key;
  kind: Kind;
  /** What an empty input means. */
  blank: 'refused' | 'kept' | 'left out';
  /** The bounds of a number; of a share in percent. */
  least?: number;
  most?: number;
  choices?: readonly string[];
  /** It counts only while the box at this path is checked. */
  when?: string;
  /** Shown where it has no value of its own yet. */
  instead?: string;
  /** A box that is checked when there is something at this path; it is not saved itself. */
  opens?: string;
}

/** What is saved, or follows its default, as a whole. */
export interface Field {
  name: string;
  key: Key;
  leaves: readonly Leaf[];
}

type Rest = Partial<Omit<Leaf, 'path' | 'key' | 'kind'>>;

function leaf(path: string, key: Key, kind: Kind, rest: Rest = {}): Leaf {
  return { path, key, kind, blank: 'refused', ...rest };
}

/** A field with one input, called as the server calls it. */
function single(key: Key, kind: Kind, rest: Rest = {}): Field {
  return { name: key, key, leaves: [leaf(key, key, kind, rest)] };
}

const kept: Rest = { blank: 'kept' };

const company = (hubs: readonly string[]): Field[] => [
  single('name', 'text'),
  single('address', 'text', kept),
  single('supportEmail', 'email'),
  single('supportPhone', 'phone', kept),
  single('gstNumber', 'gst', kept),
  single('qstNumber', 'qst', kept),
  single('neq', 'neq', kept),
  single('logo', 'text', kept),
  {
    name: 'replyTo',
    key: 'replyTo',
    leaves: hubs.map((hub) => leaf(`replyTo.${hub}`, 'replyTo', 'email', { blank: 'left out' })),
  },
];

const longest = { most: 1440 };

function retention(path: string, rest: (field: string) => Rest = () => ({})): Leaf[] {
  return [
    leaf(`${path}.afterFree`, 'afterFree', 'percent', rest('afterFree')),
    leaf(`${path}.afterLock`, 'afterLock', 'percent', rest('afterLock')),
    leaf(`${path}.mode`, 'mode', 'choice', { choices: retentionModes, ...rest('mode') }),
    leaf(`${path}.reviewRequired`, 'reviewRequired', 'yes', rest('reviewRequired')),
  ];
}

/** The paths of one province's differences begin so. */
export const provincePath = (province: string) => `provinces.${province}`;

function differences(province: string): Leaf[] {
  const path = provincePath(province);
  const box = `${path}.ownRetention`;
  return [
    leaf(box, 'ownRetention', 'yes', { opens: `${path}.retention` }),
    ...retention(`${path}.retention`, (field) => ({ when: box, instead: `retention.${field}` })),
    leaf(`${path}.trustAccountAfterDays`, 'trustAccountAfterDays', 'whole', { blank: 'left out', most: 3650 }),
    leaf(`${path}.maxOverrun`, 'maxOverrun', 'percent', { blank: 'left out' }),
    leaf(`${path}.maxOverrunAmount`, 'maxOverrunAmount', 'money', { blank: 'left out' }),
  ];
}

const policy = (provinces: readonly string[]): Field[] => [
  single('deposit', 'percent', { least: 0.01 }),
  single('freeWindow', 'whole', longest),
  single('lockWindow', 'whole', longest),
  single('changeFee', 'percent'),
  single('changeFeeMode', 'choice', { choices: changeFeeModes }),
  single('depositRetry', 'hours'),
  single('balanceRetry', 'hours'),
  single('otherRetry', 'hours'),
  single('autoRelease', 'yes'),
  single('tipDelay', 'whole', { most: 720 }),
  single('minGapBetweenCharges', 'whole', longest),
  { name: 'retention', key: 'retention', leaves: retention('retention') },
  { name: 'provinces', key: 'provinces', leaves: provinces.flatMap(differences) },
];

const scheduling: Field[] = [
  single('opens', 'time'),
  single('closes', 'time'),
  single('stepMinutes', 'whole', { least: 5, most: 240 }),
  single('lateStartUntil', 'time'),
  single('latestEnd', 'time'),
  single('latestEndLongDistance', 'time'),
  single('windowMinutes', 'whole', { most: 240 }),
  single('minLeadMinutes', 'whole', { most: 43_200 }),
  single('nextDayCutoff', 'time'),
  single('horizonDays', 'whole', { least: 1, most: 730 }),
];

/** Where crews start from. */
const served: readonly string[] = ['QC', 'ON', 'BC', 'AB'];

/** The provinces that the policy names, and those that crews start from. */
export function provincesOf({ values, defaults, saved }: GroupRecord): string[] {
  const named = new Set(
    [values, defaults, saved].flatMap((side) => Object.keys(valuesOf(side['provinces']))).concat(served),
  );
  return knownProvinces.filter((province) => named.has(province));
}

/** Everything that can be set in a group. `hubs`: the ids of all hubs, each of which has an address for answers. */
export function fieldsOf(group: Group, record: GroupRecord, hubs: readonly string[]): Field[] {
  if (group === 'company') return company(hubs);
  return group === 'policy' ? policy(provincesOf(record)) : scheduling;
}
