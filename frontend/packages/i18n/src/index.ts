export {
  addTexts,
  changeLanguage,
  currentLanguage,
  fetchTexts,
  type FirstTexts,
  i18next,
  i18nOptions,
  startI18n,
  type TextFile,
} from './i18n.ts';
export { chooseLanguage, htmlLang, intlLocale, isLanguage, type Language, languages, uiLocales } from './languages.ts';
export {
  dayIn,
  formatCalendarDate,
  formatDateTime,
  formatDayAndClock,
  formatDistance,
  formatKilometres,
  formatItems,
  formatList,
  formatMoney,
  formatName,
  UnreadableMoney,
  formatNumber,
  formatTime,
  formatWallTime,
  zoneName,
  zoneShortName,
} from './format.ts';
export { formatSentences } from './sentences.ts';
export { useLanguage } from './use-language.ts';
