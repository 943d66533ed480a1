import { UnreadableMoney } from '@portage/i18n';

/** Integer cents, for the few sums a screen needs. Prices themselves always come from the server. */

/** An amount or a percentage as typed, the way the server reads it: no spaces and signs, a dot for the comma. */
export function plainAmount(text: string): string {
  return text.replaceAll(/[\s\u00A0\u202F$%]/g, '').replace(',', '.');
}

/** "1234.5" or "1 234,50" as cents; null when it is not an amount of at most two decimals. */
export function parseCents(text: string): number | null {
  const plain = text.replaceAll(/[\s\u00A0\u202F$]/g, '').replace(',', '.');
  const match = /^(-?)(\d{1,9})(?:\.(\d{0,2}))?$/.exec(plain);
  if (!match) return null;
  const cents = Number(match[2]) * 100 + Number((match[3] ?? '').padEnd(2, '0'));
  return match[1] ? -cents : cents;
}

/** An amount of the server as cents. Throws when it cannot be read: taken for nothing, it would be a wrong price. */
export function centsOf(amount: string): number {
  const cents = parseCents(amount);
  if (cents === null) throw new UnreadableMoney(amount);
  return cents;
}

export function formatCents(cents: number): string {
  const absolute = Math.abs(cents);
  return `${cents < 0 ? '-' : ''}${Math.floor(absolute / 100)}.${String(absolute % 100).padStart(2, '0')}`;
}

export function addMoney(...amounts: string[]): string {
  return formatCents(amounts.reduce((sum, amount) => sum + centsOf(amount), 0));
}

/** A tip as typed: dollars, or a percentage of the price before tax (rounded half up). Null when it cannot be read. */
export function tipCents(type: 'amount' | 'percent', value: string, amountBeforeTax: string): number | null {
  if (value.trim() === '') return 0;
  const parsed = parseCents(value);
  if (parsed === null || parsed < 0) return null;
  if (type === 'amount') return parsed;
  if (parsed > 100_00) return null;
  return Math.floor((centsOf(amountBeforeTax) * parsed + 5000) / 10_000);
}
