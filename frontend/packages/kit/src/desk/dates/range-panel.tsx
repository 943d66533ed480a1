import { useElementSize } from '@mantine/hooks';
import { useLanguage } from '@portage/i18n';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { announce } from '../../announce.tsx';
import { IconButton } from '../button/button.tsx';
import { addMonths, type Day, firstOfMonth, isDay } from './days.ts';
import { Month, shows } from './month.tsx';
import { type DateRange, type Days, daysOf, type Preset } from './range.ts';
import classes from './range-panel.module.css';
import { useRangeText } from './range-text.ts';

export interface RangePanelProps {
  value: DateRange | null;
  onChange: (range: DateRange | null) => void;
  /** The first end is chosen, the second is awaited, or both are: tells a popover when it may close. */
  onComplete?: () => void;
  /** Today on the calendar of the place the days belong to. */
  today: Day;
  presets?: readonly Preset[];
  min?: Day | undefined;
  max?: Day | undefined;
}

/** Width at which two months stand side by side. */
const twoMonths = 500;
const usual: readonly Preset[] = ['today', 'tomorrow', 'next7', 'thisMonth', 'nextMonth', 'last30'];

/** Two days by name, by typing, or on two months of a calendar. */
export function RangePanel({ value, onChange, onComplete, today, presets = usual, min, max }: RangePanelProps) {
  const { t } = useTranslation(['desk', 'common']);
  const language = useLanguage();
  const id = useId();
  const text = useRangeText(today, language);
  const days = value === null ? {} : daysOf(value, today, language);
  /** The first end while the second is awaited. */
  const [anchor, setAnchor] = useState<Day | null>(null);
  const [hover, setHover] = useState<Day | null>(null);
  const [cursor, setCursor] = useState<Day>(days.from ?? days.to ?? today);
  const [first, setFirst] = useState<Day>(firstOfMonth(cursor));
  const [moves, setMoves] = useState(0);
  /** What stands in a field while a date is typed: its year begins as 0002. */
  const [typed, setTyped] = useState<{ from?: string; to?: string }>({});
  const { ref, width } = useElementSize();
  const count = width >= twoMonths ? 2 : 1;

  const ordered = (a: Day, b: Day): Days => (a <= b ? { from: a, to: b } : { from: b, to: a });
  const drawn: Days = anchor === null ? days : ordered(anchor, hover ?? anchor);

  const show = (day: Day) => {
    if (!shows(first, count, day)) setFirst(day < first ? firstOfMonth(day) : addMonths(firstOfMonth(day), 1 - count));
  };
  const clamp = (day: Day) => (min && day < min ? min : max && day > max ? max : day);
  const walk = (day: Day) => {
    const next = clamp(day);
    setCursor(next);
    show(next);
    setMoves((count) => count + 1);
    if (anchor !== null) setHover(next);
  };
  const pick = (day: Day) => {
    setCursor(day);
    if (anchor === null) {
      setAnchor(day);
      setHover(null);
      announce(t('dates.chooseLast', { day: text({ from: day, to: day }) }));
      return;
    }
    const range = ordered(anchor, day);
    setAnchor(null);
    onChange(range);
    announce(text(range));
    onComplete?.();
  };
  const type = (end: 'from' | 'to', entry: string) => {
    setTyped({ ...typed, [end]: entry });
    if (entry !== '' && (!isDay(entry) || entry < '1900')) return;
    setTyped({});
    setAnchor(null);
    const next: Days = { ...days };
    delete next[end];
    if (entry !== '') {
      next[end] = entry;
      setCursor(entry);
      show(entry);
    }
    // an end typed past the other one takes the other along
    if (next.from && next.to && next.from > next.to) next[end === 'from' ? 'to' : 'from'] = entry;
    onChange(next.from || next.to ? next : null);
  };
  const choose = (preset: Preset) => {
    const chosen = daysOf(preset, today, language);
    const day = chosen.from ?? today;
    setAnchor(null);
    setCursor(day);
    show(day);
    onChange(preset);
    announce(text(preset));
    onComplete?.();
  };

  return (
    <div ref={ref} className={classes['root']}>
      <div role="group" aria-label={t('dates.presets')} className={classes['presets']}>
        {presets.map((preset) => (
          <button
            key={preset}
            type="button"
            className={classes['preset']}
            aria-pressed={value === preset}
            onClick={() => choose(preset)}
          >
            {t(`dates.preset.${preset}`)}
          </button>
        ))}
      </div>
      <div className={classes['main']}>
        <div className={classes['ends']}>
          {(['from', 'to'] as const).map((end) => (
            <label key={end} className={classes['end']}>
              <span>{t(end === 'from' ? 'dates.firstDay' : 'dates.lastDay')}</span>
              <input
                type="date"
                value={typed[end] ?? (anchor === null ? days[end] : end === 'from' ? anchor : undefined) ?? ''}
                min={min}
                max={max}
                onChange={(event) => type(end, event.currentTarget.value)}
                onBlur={() => setTyped({})}
              />
            </label>
          ))}
        </div>
        <div
          className={classes['calendar']}
          role="group"
          aria-label={t('dates.calendar')}
          aria-describedby={`${id}-help`}
        >
          <IconButton
            className={classes['back']}
            label={t('common:month.previous')}
            onClick={() => setFirst(addMonths(first, -1))}
          >
            <IconChevronLeft size={18} stroke={1.75} aria-hidden />
          </IconButton>
          <IconButton
            className={classes['forth']}
            label={t('common:month.next')}
            onClick={() => setFirst(addMonths(first, 1))}
          >
            <IconChevronRight size={18} stroke={1.75} aria-hidden />
          </IconButton>
          <div className={classes['months']}>
            {Array.from({ length: count }, (_, index) => addMonths(first, index)).map((month) => (
              <Month
                key={month}
                month={month}
                today={today}
                range={drawn}
                cursor={tabStop(month)}
                moves={shows(month, 1, cursor) ? moves : 0}
                min={min}
                max={max}
                onCursor={walk}
                onPick={pick}
                onHover={(day) => (anchor === null ? undefined : setHover(day))}
              />
            ))}
          </div>
          <p id={`${id}-help`} className={classes['help']}>
            {anchor === null ? t('dates.help') : t('dates.chooseLast', { day: text({ from: anchor, to: anchor }) })}
          </p>
        </div>
      </div>
    </div>
  );

  /** The month that shows the cursor has the tab stop on it; when none does, the first month has it on its first day. */
  function tabStop(month: Day): Day | null {
    if (shows(month, 1, cursor)) return cursor;
    return month === first && !shows(first, count, cursor) ? month : null;
  }
}
