import type { SettingsGroup, SettingsRequest, SettingsVersions } from '@portage/api';

export const groups = ['company', 'policy', 'scheduling'] as const;
export type Group = (typeof groups)[number];

/** Values by field, as the calls have them. What each of them is, `values.ts` decides. */
export type Values = Record<string, unknown>;

const sources = ['saved', 'environment', 'default'] as const;
/** Where a value comes from that is in force. */
export type Source = (typeof sources)[number];

/** A group of settings as this page works with it. */
export interface GroupRecord {
  /** 0 while nobody has saved anything. */
  version: number;
  /** In force: every field. */
  values: Values;
  /** Only what somebody saved. */
  saved: Values;
  /** What a field follows that nobody saved: every field. */
  defaults: Values;
  sources: Record<string, Source>;
  changedAt: string | null;
  changedBy: string | null;
}

export interface Version {
  version: number;
  changedAt: string;
  changedBy: string | null;
  saved: Values;
}

/** The documented types leave open what is in a group; this is the one place that looks into it. */
export function valuesOf(value: unknown): Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

export function recordOf(answer: SettingsGroup): GroupRecord {
  const named = Object.entries(valuesOf(answer.sources));
  return {
    version: answer.version,
    values: valuesOf(answer.values),
    saved: valuesOf(answer.saved),
    defaults: valuesOf(answer.defaults),
    sources: Object.fromEntries(
      named.map(([field, source]) => [field, sources.find((known) => known === source) ?? 'default']),
    ),
    changedAt: answer.changedAt ?? null,
    changedBy: answer.changedBy ?? null,
  };
}

export function versionsOf({ data }: SettingsVersions): Version[] {
  return data.map(({ version, changedAt, changedBy, saved }) => ({
    version,
    changedAt,
    changedBy: changedBy ?? null,
    saved: valuesOf(saved),
  }));
}

/** The body of a save: what is left out follows its default again. */
export function requestOf(values: Values): SettingsRequest {
  return { values } as unknown as SettingsRequest;
}
