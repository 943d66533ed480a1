/**
 * `Intl.DateTimeFormat` with other data than this machine's, as engines have it: WebKit with CLDR 42 prints en-CA days as
 * M/D/Y, newer data put U+202F where a space was, and some write "AM" for "a.m.". Only the printed text differs; whoever
 * reads days or hours out of it breaks, whoever takes the parts by their names does not. The
 * answer puts the real one back.
 */
export function stubOtherDates(): () => void {
  const Real = Intl.DateTimeFormat;
  const other = (format: Intl.DateTimeFormat, date?: Date | number): Intl.DateTimeFormatPart[] => {
    const parts = format.formatToParts(date);
    const { locale, month } = format.resolvedOptions();
    const value = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
    if (locale.startsWith('en') && (month === 'numeric' || month === '2-digit') && value('hour') === '')
      return [
        { type: 'month', value: String(Number(value('month'))) },
        { type: 'literal', value: '/' },
        { type: 'day', value: String(Number(value('day'))) },
        { type: 'literal', value: '/' },
        { type: 'year', value: value('year') },
      ];
    return parts.map((part) => ({
      ...part,
      value:
        part.type === 'dayPeriod'
          ? part.value.replaceAll('.', '').toUpperCase()
          : part.value.replaceAll(/\s/g, '\u202F'),
    }));
  };
  function Other(this: unknown, locales?: string | string[], options?: Intl.DateTimeFormatOptions) {
    const real = new Real(locales, options);
    return {
      format: (date?: Date | number) =>
        other(real, date)
          .map((part) => part.value)
          .join(''),
      formatToParts: (date?: Date | number) => other(real, date),
      resolvedOptions: () => real.resolvedOptions(),
    };
  }
  Other.supportedLocalesOf = Real.supportedLocalesOf.bind(Real);
  const intl = Intl as { DateTimeFormat: unknown };
  intl.DateTimeFormat = Other;
  return () => {
    intl.DateTimeFormat = Real;
  };
}
