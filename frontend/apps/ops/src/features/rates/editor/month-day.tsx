import { NativeSelect } from '@mantine/core';
import { formatCalendarDate, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

import classes from '../rates.module.css';

const twoDigits = (value: number) => String(value).padStart(2, '0');
// a leap year: the 29th of February is a day of the year, too
const daysOf = (month: number) => new Date(Date.UTC(2024, month, 0)).getUTCDate();

interface MonthDayProps {
  id: string;
  label: string;
  /** Month and day, `07-01`. */
  value: string;
  error?: string | undefined;
  onChange: (value: string) => void;
}

/** A day of any year. */
export function MonthDay({ id, label, value, error, onChange }: MonthDayProps) {
  const { t } = useTranslation('rates');
  const language = useLanguage();
  const [month = 1, day = 1] = value.split('-').map(Number);
  const set = (nextMonth: number, nextDay: number) =>
    onChange(`${twoDigits(nextMonth)}-${twoDigits(Math.min(nextDay, daysOf(nextMonth)))}`);
  const months = Array.from({ length: 12 }, (_, index) => ({
    value: String(index + 1),
    label: formatCalendarDate(`2024-${twoDigits(index + 1)}-01`, language, { month: 'long' }),
  }));
  return (
    <div role="group" aria-label={label} className={classes['monthDay']}>
      <NativeSelect
        id={id}
        label={label}
        aria-label={t('day.month', { which: label })}
        value={String(month)}
        data={months}
        error={error}
        onChange={(event) => set(Number(event.currentTarget.value), day)}
      />
      <NativeSelect
        aria-label={t('day.day', { which: label })}
        value={String(day)}
        data={Array.from({ length: daysOf(month) }, (_, index) => String(index + 1))}
        onChange={(event) => set(month, Number(event.currentTarget.value))}
      />
    </div>
  );
}
