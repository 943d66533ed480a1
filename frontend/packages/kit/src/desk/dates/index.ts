import '../texts.ts';

export { addDays, addMonths, type Day, daysBetween, isDay, monthOf, startOfWeek, weeksOf } from './days.ts';
export { dayAfterKey } from './month.tsx';
export { type DateRange, type Days, daysOf, type Preset, readRange, writeRange } from './range.ts';
export { RangeField } from './range-field.tsx';
export { RangePanel } from './range-panel.tsx';
export { useRangeText } from './range-text.ts';
