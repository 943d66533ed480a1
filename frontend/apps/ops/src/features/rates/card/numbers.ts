import { formatCents, parseCents, plainAmount } from '@portage/domain';
import type { Language } from '@portage/i18n';

import { type Json, textOf } from './paths.ts';

/**
 * What a figure is. `percent` and `factor` are kept in basis points (2000 = 20 %, 12500 = 1.25 times), `thousandths`
 * in thousandths (700 = 70 %), `tax` in parts per million (149750 = 14.975 %), money as a decimal string.
 */
export type Kind =
  | 'money'
  | 'percent'
  | 'factor'
  | 'thousandths'
  | 'tax'
  | 'whole'
  | 'minutes'
  | 'km'
  | 'volume'
  | 'text';

/** Places behind the point that a person may type: the kept whole number is so many powers of ten larger. */
const decimals: Record<Exclude<Kind, 'money' | 'text'>, number> = {
  percent: 2,
  factor: 4,
  thousandths: 1,
  tax: 4,
  whole: 0,
  minutes: 0,
  km: 0,
  volume: 0,
};

function scaled(value: number, places: number): string {
  const digits = String(Math.abs(value)).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const rest = digits.slice(digits.length - places).replace(/0+$/, '');
  return `${value < 0 ? '-' : ''}${whole}${rest === '' ? '' : `.${rest}`}`;
}

/** A kept value as one would type it, with the comma of French; what is not kept is empty. */
export function shown(value: Json | undefined, kind: Kind, language: Language): string {
  if (value === undefined || value === null) return '';
  if (kind === 'text') return textOf(value);
  const text =
    typeof value !== 'number' || !Number.isInteger(value)
      ? textOf(value)
      : kind === 'money'
        ? formatCents(value)
        : scaled(value, decimals[kind]);
  return language === 'fr' ? text.replace('.', ',') : text;
}

/** What was typed, as the card keeps it; undefined when it is no such number. */
export function readFigure(text: string, kind: Kind): Json | undefined {
  if (kind === 'text') return text.trim();
  if (kind === 'money') {
    const cents = parseCents(text);
    return cents === null || cents < 0 ? undefined : formatCents(cents);
  }
  const places = decimals[kind];
  const match = /^(\d{1,9})(?:\.(\d*))?$/.exec(plainAmount(text));
  const rest = match?.[2] ?? '';
  if (!match || rest.length > places) return undefined;
  return Number(`${match[1] ?? ''}${rest.padEnd(places, '0')}`);
}
