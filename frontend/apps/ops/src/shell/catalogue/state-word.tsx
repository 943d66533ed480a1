import {
  IconArchive,
  IconBan,
  IconCalendarTime,
  IconCircleCheck,
  IconCircleMinus,
  IconHandStop,
  IconHourglassOff,
  IconMail,
  IconPlayerPause,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import classes from './catalogue.module.css';

const signs = {
  active: IconCircleCheck,
  archived: IconArchive,
  disabled: IconBan,
  exhausted: IconCircleMinus,
  invited: IconMail,
  past: IconHourglassOff,
  paused: IconPlayerPause,
  planned: IconCalendarTime,
  suspended: IconHandStop,
} as const;

/** Where a record of any catalogue can stand. */
export type RecordState = keyof typeof signs;

/** The state in one word with its sign; it carries no colour, because nobody has to act on it. */
export function StateWord({ state }: { state: RecordState }) {
  const { t } = useTranslation('catalogue');
  const Sign = signs[state];
  return (
    <span className={classes['state']} data-state={state}>
      <Sign size={16} stroke={1.75} aria-hidden />
      {t(`state.${state}`)}
    </span>
  );
}
