import { VisuallyHidden } from '@mantine/core';
import { formatNumber, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

import classes from './calendar.module.css';
import { countOf, type What, whats } from './load.ts';
import type { CalendarDay } from './types.ts';
import { useWhatText } from './words.ts';

/** Planned, away, offered and taken, of mates and of each size of truck. */
export function DayNumbers({ day }: { day: CalendarDay }) {
  const { t } = useTranslation('calendar');
  const language = useLanguage();
  const whatText = useWhatText();
  const number = (of: 'planned' | 'absent' | 'offered' | 'taken', what: What) =>
    formatNumber(countOf(day[of], what), language);
  return (
    <table className={classes['numbers']} aria-label={t('day.numbers')}>
      <thead>
        <tr>
          <th scope="col">
            <VisuallyHidden>{t('col.what')}</VisuallyHidden>
          </th>
          <th scope="col">{t('col.planned')}</th>
          <th scope="col">{t('col.absent')}</th>
          <th scope="col">{t('col.offered')}</th>
          <th scope="col">{t('col.taken')}</th>
        </tr>
      </thead>
      <tbody>
        {whats.map((what) => (
          <tr key={what} data-over={countOf(day.taken, what) > countOf(day.offered, what) || undefined}>
            <th scope="row">{whatText(what)}</th>
            <td>{number('planned', what)}</td>
            <td>{number('absent', what)}</td>
            <td>{number('offered', what)}</td>
            <td>{number('taken', what)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
