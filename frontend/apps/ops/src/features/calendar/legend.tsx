import { useTranslation } from 'react-i18next';

import classes from './calendar.module.css';
import { signs } from './month-grid.tsx';

/** What the squares of the year and their signs mean. */
export function Legend() {
  const { t } = useTranslation('calendar');
  return (
    <ul className={classes['legend']} aria-label={t('legend')}>
      <li>
        <span className={classes['sample']} data-kind="free" aria-hidden />
        {t('legend.free')}
      </li>
      <li>
        <span className={classes['sample']} data-kind="full" aria-hidden />
        {t('legend.full')}
      </li>
      <li>
        <span className={classes['sample']} data-kind="over" aria-hidden>
          {signs.over}
        </span>
        {t('legend.over')}
      </li>
      <li>
        <span className={classes['sample']} data-kind="closed" aria-hidden />
        {t('load.closed')}
      </li>
      <li>
        <span aria-hidden>{signs.holiday}</span>
        {t('legend.holiday')}
      </li>
      <li>
        <span aria-hidden>{signs.own}</span>
        {t('mark.own')}
      </li>
      <li>
        <span aria-hidden>{signs.away}</span>
        {t('mark.away')}
      </li>
    </ul>
  );
}
