import type { RateVersion } from '@portage/api';
import { IconCalendarTime, IconCircleCheck, IconHourglassOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import classes from './rates.module.css';

const signs = { active: IconCircleCheck, planned: IconCalendarTime, past: IconHourglassOff } as const;

/** Where a version stands, in words with a sign. */
export function RateState({ state }: Pick<RateVersion, 'state'>) {
  const { t } = useTranslation('rates');
  const Sign = signs[state];
  return (
    <span className={classes['state']} data-state={state}>
      <Sign size={16} stroke={1.75} aria-hidden />
      {t(`state.${state}`)}
    </span>
  );
}
