import { intlLocale, type Language } from './languages.ts';

// Intl constructors are slow enough to show up while typing, so each is made once.
const numbers = new Map<string, Intl.NumberFormat>();
const dates = new Map<string, Intl.DateTimeFormat>();

function numberFormat(language: Language, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = language + JSON.stringify(options);
  let format = numbers.get(key);
  if (!format) {
    format = new Intl.NumberFormat(intlLocale[language], options);
    numbers.set(key, format);
  }
  return format;
}

function dateFormat(language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = language + JSON.stringify(options);
  let format = dates.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(intlLocale[language], options);
    dates.set(key, format);
  }
  return format;
}

/** An amount that is no number: shown as if it were one, or as nothing, it would be a wrong price. */
export class UnreadableMoney extends Error {
  constructor(value: string) {
    super(`"${value}" is no amount of money`);
    this.name = 'UnreadableMoney';
  }
}

/**
 * Dollars as the API sends them ("1234.50") for a person: `$1,234.50`, `1 234,50 $`, `CA$1,234.50`.
 * The decimal string goes to Intl unchanged, so no binary fraction ever touches money. What is taken off has a true minus sign,
 * which some engines do not write. Throws for anything else.
 */
export function formatMoney(value: string, language: Language, currency = 'CAD'): string {
  if (!/^-?\d+(?:\.\d+)?$/.test(value)) throw new UnreadableMoney(value);
  const display = language === 'zh' ? 'symbol' : 'narrowSymbol';
  return numberFormat(language, { style: 'currency', currency, currencyDisplay: display })
    .format(value as unknown as number)
    .replace('-', '\u2212');
}

export function formatNumber(
  value: number | string,
  language: Language,
  options: Intl.NumberFormatOptions = {},
): string {
  return numberFormat(language, options).format(value as unknown as number);
}

const near = { en: 'less than 1\u00A0km', fr: 'moins de 1\u00A0km', zh: '不到 1 公里' } as const;

/**
 * How long a way is: kilometres with at most one decimal, and in words below the first one. Two doors in one street are not
 * "0 km" apart. It stands inside a sentence: it begins with a small letter.
 */
export function formatDistance(km: string, language: Language): string {
  return Number(km) < 1 ? near[language] : formatKilometres(km, language);
}

/** What kilometres are charged for: `10.8 km`, `10,8 km`, `10.8 公里`; engines write the Chinese unit without a space. */
export function formatKilometres(km: string, language: Language): string {
  return `${formatNumber(km, language, { maximumFractionDigits: 1 })}${language === 'zh' ? ' 公里' : '\u00A0km'}`;
}

/** A family name of one or two characters after a given name, as forms that ask for both put them together. */
const givenFirst = /^(\p{Script=Han}+)\s+(\p{Script=Han}{1,2})$/u;

/** A full name as it is written: the family name comes first in Chinese, without a space (`王伟`). */
export function formatName(fullName: string): string {
  return fullName.trim().replace(givenFirst, '$2$1');
}

/**
 * Writes a date for people. What Intl prints differs between engines and their data: nothing may be read out of it, and
 * what is changed in it is found by the names of its parts. French Canada writes the first of a month "1er".
 */
function dateText(instant: Date, language: Language, options: Intl.DateTimeFormatOptions): string {
  const format = dateFormat(language, options);
  if (language !== 'fr') return format.format(instant);
  const parts = format.formatToParts(instant);
  const named = parts.some((part) => part.type === 'month' && /\p{L}/u.test(part.value));
  return parts.map((part) => (named && part.type === 'day' && part.value === '1' ? '1er' : part.value)).join('');
}

/** Numbers of an instant on the wall calendar and clock of `zone`, whatever text the engine would print. */
function wallParts(instant: Date, zone: string): Record<'year' | 'month' | 'day' | 'hour' | 'minute', number> {
  const key = `parts${zone}`;
  let format = dates.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA-u-ca-gregory-nu-latn', {
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      hourCycle: 'h23',
      timeZone: zone,
    });
    dates.set(key, format);
  }
  const parts = format.formatToParts(instant);
  const number = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  // some engines call midnight 24
  return {
    year: number('year'),
    month: number('month'),
    day: number('day'),
    hour: number('hour') % 24,
    minute: number('minute'),
  };
}

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** The calendar day `YYYY-MM-DD` of an instant in `zone`. */
export function dayIn(zone: string, instant: Date): string {
  const { year, month, day } = wallParts(instant, zone);
  return `${year}-${twoDigits(month)}-${twoDigits(day)}`;
}

/** A calendar date `YYYY-MM-DD`, which has no zone: `July 1, 2027`, `1er juillet 2027`, `2027年7月1日`. */
export function formatCalendarDate(
  date: string,
  language: Language,
  options: Intl.DateTimeFormatOptions = { dateStyle: 'long' },
): string {
  return dateText(new Date(`${date}T12:00:00Z`), language, { ...options, timeZone: 'UTC' });
}

/** A wall-clock time `HH:MM`: `9:00 a.m.`, `9 h`, `13 h 30`, `9:00`; its parts stay on one line. */
export function formatWallTime(time: string, language: Language): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  if (language === 'fr') return minute === 0 ? `${hour}\u00A0h` : `${hour}\u00A0h\u00A0${twoDigits(minute)}`;
  if (language === 'zh') return `${hour}:${twoDigits(minute)}`;
  return `${hour % 12 || 12}:${twoDigits(minute)}\u00A0${hour < 12 ? 'a.m.' : 'p.m.'}`;
}

/** An instant as wall-clock time in `zone`. */
export function formatTime(instant: string, zone: string, language: Language): string {
  const { hour, minute } = wallParts(new Date(instant), zone);
  return formatWallTime(`${hour}:${minute}`, language);
}

/** What people call the zones we serve; browsers say "Toronto时间" or "ET", and the e-mails say these. */
const ZONE_NAMES: Record<string, Record<Language, string>> = {
  'America/Toronto': { en: 'Montreal time', fr: 'heure de Montréal', zh: '蒙特利尔时间' },
  'America/Vancouver': { en: 'Vancouver time', fr: 'heure de Vancouver', zh: '温哥华时间' },
  'America/Edmonton': { en: 'Alberta time', fr: 'heure de l’Alberta', zh: '阿尔伯塔时间' },
};

/** What people call a zone, for a list of times that says it once. */
export function zoneName(zone: string, language: Language): string | null {
  return ZONE_NAMES[zone]?.[language] ?? null;
}

/** The short name of a zone's time at an instant, in the words of the engine: `PST`, `HNP`, `GMT-8`. Empty where it has none. */
export function zoneShortName(instant: string, zone: string, language: Language): string {
  const parts = dateFormat(language, { timeZone: zone, timeZoneName: 'short' }).formatToParts(new Date(instant));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** A day and the time on it in a row: `July 1, 2027, 9:00 a.m.`, `1er juillet 2027 à 9 h`, `2027年7月1日 9:00`. */
export function formatDayAndClock(day: string, clock: string, language: Language): string {
  return day + { en: ', ', fr: ' à ', zh: ' ' }[language] + clock;
}

/** An instant as date and time in `zone`; the zone's short name follows when asked for. */
export function formatDateTime(instant: string, zone: string, language: Language, withZone = false): string {
  const date = dateText(new Date(instant), language, { dateStyle: 'long', timeZone: zone });
  const time = formatTime(instant, zone, language);
  const joined = formatDayAndClock(date, time, language);
  if (!withZone) return joined;
  const name = zoneName(zone, language);
  if (!name) return joined;
  return language === 'zh' ? `${joined}（${name}）` : `${joined} (${name})`;
}

/** Things of one kind in a row, as `language` separates them: "29, 30", "mattress, sofa"; `29、30` in Chinese. */
export function formatItems(items: readonly string[], language: Language): string {
  return items.join(language === 'zh' ? '、' : ', ');
}

/** Several facts in a row, as `language` separates them: "Residential, 2 mates, 3 h". Not for parts of a sentence. */
export function formatList(facts: readonly string[], language: Language): string {
  return facts.join(language === 'zh' ? '，' : ', ');
}
