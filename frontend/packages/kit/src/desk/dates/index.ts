import '../texts.ts';

export { addDays, addMonths, type Day, daysBetween, isDay } from './days.ts';
export { type DateRange, type Days, daysOf, type Preset, readRange, writeRange } from './range.ts';
export { RangeField } from './range-field.tsx';
export { RangePanel } from './range-panel.tsx';
export { useRangeText } from './range-text.ts';
