import { formatCents, parseCents, plainAmount } from '@portage/domain';

import type { Field, Leaf } from './fields.ts';
import { type GroupRecord, type Values, valuesOf } from './types.ts';

/** Text or a check for every input, and below `own` which fields are saved whatever their value. */
export type Form = Record<string, unknown>;

/** Where the form says that a field is saved even when its value is that of its default. */
export const ownPath = (field: string) => `own.${field}`;

/** What stands at a path of names with dots between them. */
export function at(values: unknown, path: string): unknown {
  return path.split('.').reduce((inner: unknown, name) => valuesOf(inner)[name], values);
}

function put(values: Values, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    values[name] = value;
    return;
  }
  const inner = valuesOf(values[name]);
  put(inner, rest, value);
  values[name] = inner;
}

/** Cents of a dollar and hundredths of a percent are written alike. */
const short = (hundredths: number) =>
  formatCents(hundredths)
    .replace(/\.00$/, '')
    .replace(/(\.\d)0$/, '$1');

/** Hours as a person writes them, with commas or spaces between; null when they cannot be read. */
export function parseHours(text: string): number[] | null {
  const parts = text.split(/[\s,;，、；]+/).filter((part) => part !== '');
  return parts.every((part) => /^\d{1,5}$/.test(part)) ? parts.map(Number) : null;
}

/** A share as the server writes it, `0.2`, in hundredths of a percent. */
const hundredthsOf = (share: string) => (/^\d+(\.\d+)?$/.test(share) ? Math.round(Number(share) * 10_000) : null);

export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** A value of the server as it stands in its input. */
function shown({ kind, choices }: Leaf, value: unknown): string | boolean {
  switch (kind) {
    case 'yes':
      return value === true;
    case 'percent': {
      const share = hundredthsOf(textOf(value));
      return share === null ? '' : short(share);
    }
    case 'money': {
      const cents = parseCents(textOf(value));
      return cents === null ? '' : short(cents);
    }
    case 'hours':
      return Array.isArray(value) ? value.map(textOf).join(', ') : '';
    case 'time':
      // with seconds, as older servers write it
      return textOf(value).slice(0, 5);
    case 'choice':
      return choices?.includes(textOf(value)) ? textOf(value) : (choices?.[0] ?? '');
    default:
      return textOf(value);
  }
}

/** What an input says, for the server; undefined when it says nothing, or nothing that can be read. */
export function written({ kind, blank }: Leaf, typed: unknown): unknown {
  if (kind === 'yes') return typed === true;
  const text = textOf(typed).trim();
  if (text === '') return blank === 'kept' ? '' : undefined;
  switch (kind) {
    case 'percent': {
      const hundredths = parseCents(plainAmount(text));
      return hundredths === null ? undefined : String(hundredths / 10_000);
    }
    case 'whole':
      return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
    case 'hours':
      return parseHours(text) ?? undefined;
    case 'money': {
      const cents = parseCents(text);
      return cents === null ? undefined : formatCents(cents);
    }
    default:
      return text;
  }
}

/** Whether every input of a field is empty in this form. */
export const isEmpty = ({ leaves }: Field, form: Form) => leaves.every(({ path }) => (at(form, path) ?? '') === '');

/** Whether an input counts: others wait behind a box that is not checked. */
export const counts = ({ when }: Leaf, form: Form) => when === undefined || at(form, when) === true;

/** The form of these values; `saved` are the fields that somebody saved. */
export function formOf(fields: readonly Field[], values: Values, saved: Values): Form {
  const form: Form = {};
  for (const { name, leaves } of fields) {
    put(form, ownPath(name).split('.'), name in saved);
    for (const leaf of leaves) {
      const own = at(values, leaf.path);
      const value = leaf.opens
        ? at(values, leaf.opens) !== undefined && at(values, leaf.opens) !== null
        : (own ?? (leaf.instead ? at(values, leaf.instead) : undefined));
      put(form, leaf.path.split('.'), shown(leaf, value));
    }
  }
  return form;
}

/** The form of a group as it is in force. */
export const formOfRecord = (fields: readonly Field[], { values, saved }: GroupRecord) => formOf(fields, values, saved);

/** What the form says of one field, for the server. */
export function valueOf({ name, leaves }: Field, form: Form): unknown {
  const [only] = leaves;
  if (only && only.path === name) return written(only, at(form, name));
  const made: Values = {};
  for (const leaf of leaves) {
    if (leaf.opens || !counts(leaf, form)) continue;
    const value = written(leaf, at(form, leaf.path));
    if (value !== undefined) put(made, leaf.path.split('.').slice(1), value);
  }
  return made;
}

const same = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** Whether two forms say the same of a field. */
export const saysSame = (field: Field, one: Form, other: Form) => same(valueOf(field, one), valueOf(field, other));

/** Whether a field would be saved: it differs from its default, or somebody saved it and did not take that back. */
export function isOwn(field: Field, form: Form, defaults: Form): boolean {
  return at(form, ownPath(field.name)) === true || !saysSame(field, form, defaults);
}

/** The fields that are saved; the others follow their defaults. */
export function bodyOf(fields: readonly Field[], form: Form, defaults: Form): Values {
  return Object.fromEntries(
    fields.filter((field) => isOwn(field, form, defaults)).map((field) => [field.name, valueOf(field, form)]),
  );
}

/** Every place of the form that belongs to a field. */
export const pathsOf = ({ name, leaves }: Field) => [ownPath(name), ...leaves.map(({ path }) => path)];
