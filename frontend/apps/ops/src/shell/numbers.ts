/** Registration numbers by their form, as the server reads them: spaces and case do not count. */

const bare = (text: string) => text.replaceAll(/\s/g, '').toUpperCase();

/** Luhn's check: every second digit from the right counts twice, with its own digits added up. */
function luhn(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, at) => {
      const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}

/** GST (TPS): nine digits with their check, RT and four digits. */
export function isGst(text: string): boolean {
  const [, business] = /^(\d{9})RT\d{4}$/.exec(bare(text)) ?? [];
  return business !== undefined && luhn(business);
}

/** QST (TVQ): ten digits, TQ and four digits. */
export function isQst(text: string): boolean {
  return /^\d{10}TQ\d{4}$/.test(bare(text));
}

/** NEQ: ten digits that begin with the form of the enterprise. */
export function isNeq(text: string): boolean {
  return /^(?:11|22|33|88)\d{8}$/.test(bare(text));
}
