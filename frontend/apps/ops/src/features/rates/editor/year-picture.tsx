import { NativeSelect } from '@mantine/core';
import { useProvinceChoices } from '@portage/domain';
import { formatCalendarDate, formatItems, formatNumber, useLanguage } from '@portage/i18n';
import { leadBeside } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { deskToday } from '../../../shell/company.ts';
import { dateOf, type Holidays, letterOf, type Period, shadeOf, weekdayOf, yearOf } from '../card/year.ts';
import { holidaysQuery } from '../queries.ts';
import tables from '../rates.module.css';
import { usePeriodName } from './names.ts';
import classes from './year.module.css';

/**
 * A year, each day with the letter of the period that its hours are priced by, darker the dearer it is. The months are
 * a picture; the table below them says the same in words.
 */
export function YearPicture({ periods }: { periods: readonly Period[] }) {
  const { t } = useTranslation(['rates', 'domain', 'common']);
  const language = useLanguage();
  const periodName = usePeriodName();
  const provinces = useProvinceChoices();
  const thisYear = Number(deskToday().slice(0, 4));
  const [province, setProvince] = useState('QC');
  const [year, setYear] = useState(thisYear);
  const ofHolidays = periods.some(({ rule }) => rule === 'holiday');
  const asked = useQuery({ ...holidaysQuery(province, year), enabled: ofHolidays });
  const holidays = asked.data ?? {};
  const months = yearOf(periods, province, year, holidays);
  const days = months.flat();
  const count = (index: number | null) => days.filter((one) => one === index).length;
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 4 };
  const factor = (value: number) => t('times', { factor: formatNumber(value / 10_000, language, digits) });
  return (
    <section aria-label={t('year.title')} className={classes['root']}>
      <div className={classes['choose']}>
        <NativeSelect
          label={t('year.where')}
          value={province}
          data={provinces}
          onChange={(event) => setProvince(event.currentTarget.value)}
        />
        <NativeSelect
          label={t('year.which')}
          value={String(year)}
          data={[thisYear, thisYear + 1, thisYear + 2].map(String)}
          onChange={(event) => setYear(Number(event.currentTarget.value))}
        />
      </div>
      <div className={classes['months']} role="img" aria-label={t('year.picture', { year })}>
        {months.map((month, index) => (
          // a month is its place in the year
          // oxlint-disable-next-line react/no-array-index-key
          <Month key={index} year={year} month={index + 1} days={month} periods={periods} holidays={holidays} />
        ))}
      </div>
      {ofHolidays && asked.isError ? (
        <div role="status" className={classes['choose']}>
          <p className="pg-help">{t('year.holidaysFailed')}</p>
          <DeskButton
            busy={asked.isFetching}
            onClick={(event) => {
              leadBeside(event.currentTarget);
              void asked.refetch();
            }}
          >
            {t('common:action.retry')}
          </DeskButton>
        </div>
      ) : ofHolidays && asked.data === null ? (
        <p className="pg-help">{t('year.noHolidays')}</p>
      ) : null}
      <div className={classes['scroll']}>
        <table className={tables['table']}>
          <caption className="pg-help">{t('year.legend')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('year.letter')}</th>
              <th scope="col">{t('year.period')}</th>
              <th scope="col">{t('period.when')}</th>
              <th scope="col" className={tables['number']}>
                {t('year.factor')}
              </th>
              <th scope="col" className={tables['number']}>
                {t('year.days')}
              </th>
            </tr>
          </thead>
          <tbody>
            {periods.map((period, index) => (
              // two periods may have no name yet
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={index}>
                <td>
                  <span className={classes['day']} data-shade={shadeOf(period.factor)}>
                    {letterOf(index)}
                  </span>
                </td>
                <th scope="row">{periodName(period.name, index)}</th>
                <td>
                  <When period={period} holidays={holidays} />
                </td>
                <td className={tables['number']}>{factor(period.factor)}</td>
                <td className={tables['number']}>
                  {period.rule === 'holiday' && !asked.data ? t('year.unknown') : formatNumber(count(index), language)}
                </td>
              </tr>
            ))}
            <tr>
              <td aria-hidden="true" />
              <th scope="row">{t('year.ordinary')}</th>
              <td>{t('year.rest')}</td>
              <td className={tables['number']}>{factor(10_000)}</td>
              <td className={tables['number']}>{formatNumber(count(null), language)}</td>
            </tr>
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** On which days a period falls, in words. */
function When({ period, holidays }: { period: Period; holidays: Holidays }) {
  const { t } = useTranslation(['rates', 'desk']);
  const language = useLanguage();
  const known = Object.entries(holidays);
  if (period.rule === 'holiday' && known.length > 0)
    return formatItems(
      known.map(([date, name]) =>
        t('year.holiday', { name, day: formatCalendarDate(date, language, { month: 'short', day: 'numeric' }) }),
      ),
      language,
    );
  if (period.rule !== 'range') return t(`rule.${period.rule}`);
  if (period.from === '' || period.to === '') return null;
  const day = (monthDay: string) =>
    formatCalendarDate(`2024-${monthDay}`, language, { month: 'short', day: 'numeric' });
  return period.from === period.to
    ? day(period.from)
    : t('desk:dates.fromTo', { from: day(period.from), to: day(period.to) });
}

interface MonthProps {
  year: number;
  month: number;
  days: readonly (number | null)[];
  periods: readonly Period[];
  holidays: Holidays;
}

function Month({ year, month, days, periods, holidays }: MonthProps) {
  const language = useLanguage();
  const name = formatCalendarDate(dateOf(year, month, 1), language, { month: 'long' });
  // Sunday opens the week in English and French, Monday in Chinese
  const before = (weekdayOf(year, month, 1) - (language === 'zh' ? 1 : 0) + 7) % 7;
  return (
    <div className={classes['month']}>
      <span className={classes['name']}>{name}</span>
      <div className={classes['days']}>
        {days.map((index, at) => {
          const period = index === null ? undefined : periods[index];
          return (
            <span
              // a day is its place in the month
              // oxlint-disable-next-line react/no-array-index-key
              key={at}
              className={classes['day']}
              style={at === 0 ? { gridColumnStart: before + 1 } : undefined}
              data-shade={period ? shadeOf(period.factor) : undefined}
              title={holidays[dateOf(year, month, at + 1)]}
            >
              {index === null ? at + 1 : letterOf(index)}
            </span>
          );
        })}
      </div>
    </div>
  );
}
