import type { ApiProblem } from '@portage/api';
import { ErrorState, Notice } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import classes from './calendar.module.css';
import { mostShortfalls, type Shortfall, shortfallsOf } from './shortfalls.ts';
import { useDayName } from './words.ts';

/** Why numbers are not taken: the days that moves already need more of, and how many too few there would be. */
export function ShortfallNotice({ problem }: { problem: ApiProblem }) {
  const { t } = useTranslation(['calendar', 'catalogue', 'common']);
  const dayName = useDayName();
  const shortfalls = shortfallsOf(problem);
  if (shortfalls.length === 0) return <ErrorState failure={problem} title={t('common:page.saveFailed')} />;
  const sentence = ({ date, what, taken, offered }: Shortfall) => {
    const values = { day: dayName(date), taken, offered, count: taken - offered };
    return what === 'mates'
      ? t('short.mates', values)
      : t('short.trucks', { ...values, feet: Number.parseInt(what, 10) });
  };
  return (
    <Notice tone="error" live title={t('short.title')}>
      <ul className={classes['list']}>
        {shortfalls.map((one) => (
          <li key={`${one.date} ${one.what}`}>{sentence(one)}</li>
        ))}
      </ul>
      {shortfalls.length >= mostShortfalls ? <p>{t('short.more')}</p> : null}
      <p>{t('catalogue:conflict.text')}</p>
    </Notice>
  );
}
