/** The rules of the card form: pure, and nothing here ever stores a digit. */

export type Brand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'jcb' | 'diners' | 'unionpay';

interface BrandRule {
  brand: Brand;
  starts: (digits: string) => boolean;
  lengths: readonly number[];
  groups: readonly number[];
  cvc: number;
}

function between(digits: string, length: number, low: number, high: number): boolean {
  if (digits.length < length) return false;
  const prefix = Number(digits.slice(0, length));
  return prefix >= low && prefix <= high;
}

const fours = [4, 4, 4, 4, 3] as const;

// issuer ranges as the card networks publish them
const rules: readonly BrandRule[] = [
  { brand: 'visa', starts: (d) => d.startsWith('4'), lengths: [13, 16, 19], groups: fours, cvc: 3 },
  {
    brand: 'amex',
    starts: (d) => between(d, 2, 34, 34) || between(d, 2, 37, 37),
    lengths: [15],
    groups: [4, 6, 5],
    cvc: 4,
  },
  {
    brand: 'mastercard',
    starts: (d) => between(d, 2, 51, 55) || between(d, 4, 2221, 2720),
    lengths: [16],
    groups: fours,
    cvc: 3,
  },
  {
    brand: 'discover',
    starts: (d) => d.startsWith('6011') || between(d, 3, 644, 649) || d.startsWith('65'),
    lengths: [16, 19],
    groups: fours,
    cvc: 3,
  },
  { brand: 'jcb', starts: (d) => between(d, 4, 3528, 3589), lengths: [16, 17, 18, 19], groups: fours, cvc: 3 },
  {
    brand: 'diners',
    starts: (d) => between(d, 3, 300, 305) || d.startsWith('36') || between(d, 2, 38, 39),
    lengths: [14, 16, 19],
    groups: [4, 6, 4],
    cvc: 3,
  },
  { brand: 'unionpay', starts: (d) => d.startsWith('62'), lengths: [16, 17, 18, 19], groups: fours, cvc: 3 },
];

function ruleOf(digits: string): BrandRule | null {
  return rules.find((rule) => rule.starts(digits)) ?? null;
}

export function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}

/** The brand as soon as the first digits tell it. */
export function brandOf(text: string): Brand | null {
  return ruleOf(digitsOf(text))?.brand ?? null;
}

export function cvcLength(text: string): number {
  return ruleOf(digitsOf(text))?.cvc ?? 3;
}

/** Digits in the groups printed on the card; what cannot belong to a card number is left out. */
export function formatCardNumber(text: string): string {
  const rule = ruleOf(digitsOf(text));
  const most = rule ? Math.max(...rule.lengths) : 19;
  let rest = digitsOf(text).slice(0, most);
  const parts: string[] = [];
  for (const size of rule?.groups ?? fours) {
    if (rest === '') break;
    parts.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  return parts.join(' ');
}

/** The check digit of ISO/IEC 7812 (Luhn). */
export function luhn(digits: string): boolean {
  if (!/^\d+$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** A number that can be a card: right length for its brand, right check digit. */
export function isCardNumber(text: string): boolean {
  const digits = digitsOf(text);
  const rule = ruleOf(digits);
  const length = rule ? rule.lengths.includes(digits.length) : digits.length >= 12 && digits.length <= 19;
  return length && luhn(digits);
}

/** MM/YY as it is typed or pasted: "5" becomes "05", "0527" and "05/2027" become "05/27". */
export function formatExpiry(text: string): string {
  let digits = digitsOf(text);
  if (/^\s*\d\s*\//.test(text) || /^[2-9]/.test(digits)) digits = `0${digits}`;
  const month = digits.slice(0, 2);
  let year = digits.slice(2);
  if (/^20\d{2}/.test(year)) year = year.slice(2);
  year = year.slice(0, 2);
  return year ? `${month}/${year}` : month;
}

export interface Expiry {
  month: number;
  /** With its century. */
  year: number;
}

export function parseExpiry(text: string): Expiry | null {
  const match = /^(\d{2})\/(\d{2})$/.exec(text.trim());
  const month = Number(match?.[1] ?? 0);
  if (!match || month < 1 || month > 12) return null;
  return { month, year: 2000 + Number(match[2]) };
}

/** A card is good until the last day of its month. */
export function hasExpired(expiry: Expiry, today: Date): boolean {
  const [year, month] = [today.getFullYear(), today.getMonth() + 1];
  return expiry.year < year || (expiry.year === year && expiry.month < month);
}

/** Where the caret belongs after a value was put in groups: behind as many digits as before. */
export function caretAfter(formatted: string, digitsBefore: number): number {
  if (digitsBefore === 0) return 0;
  let seen = 0;
  for (let i = 0; i < formatted.length; i += 1) {
    if (/\d/.test(formatted[i] ?? '')) seen += 1;
    if (seen === digitsBefore) return i + 1;
  }
  return formatted.length;
}
