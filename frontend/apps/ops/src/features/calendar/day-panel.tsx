import { formatCalendarDate, useLanguage } from '@portage/i18n';
import { addDays, type Day } from '@portage/kit/desk/dates';
import { Drawer } from '@portage/kit/desk/drawer';
import { Skeleton } from '@portage/kit/desk/states';
import { useTranslation } from 'react-i18next';

import { Fact, Facts, Section } from '../../shell/catalogue/parts.tsx';
import { AbsenceRows } from './absence-rows.tsx';
import { DayForm } from './day-form.tsx';
import { DayNumbers } from './day-numbers.tsx';
import type { CalendarDay } from './types.ts';
import { firstYear, type Hub, lastYear } from './use-address.ts';
import { useDayFacts } from './words.ts';

interface DayPanelProps {
  hub: Hub;
  /** The open day; null when none is. */
  day: Day | null;
  days: readonly CalendarDay[];
  today: Day;
  onDay: (day: Day | null, replace?: boolean) => void;
}

/** The day beside the year; j and k walk on to the next and the one before. */
export function DayPanel({ hub, day, days, today, onDay }: DayPanelProps) {
  const { t } = useTranslation('calendar');
  const language = useLanguage();
  const factsOf = useDayFacts();
  const shown = days.find(({ date }) => date === day);
  const walk = (by: number) => {
    const next = day === null ? null : addDays(day, by);
    if (next === null || next < `${firstYear}-01-01` || next > `${lastYear}-12-31`) return undefined;
    return () => onDay(next, true);
  };
  return (
    <Drawer
      opened={day !== null}
      onClose={() => onDay(null)}
      title={day === null ? t('loading') : formatCalendarDate(day, language, { dateStyle: 'full' })}
      kicker={shown ? factsOf(shown)[0] : null}
      onPrevious={walk(-1)}
      onNext={walk(1)}
      returnFocusTo={() => document.querySelector<HTMLElement>(`[data-day="${day}"]`)}
    >
      {shown ? (
        <DayView key={`${hub} ${shown.date}`} hub={hub} day={shown} today={today} />
      ) : (
        <Skeleton label={t('loading')} kind="record" />
      )}
    </Drawer>
  );
}

function DayView({ hub, day, today }: { hub: Hub; day: CalendarDay; today: Day }) {
  const { t } = useTranslation(['calendar', 'shell']);
  const over = day.date < today;
  return (
    <>
      <Section title={t('day.numbers')}>
        <DayNumbers day={day} />
        <Facts>
          <Fact name={t('legend.holiday')}>{day.holiday?.name}</Fact>
          <Fact name={t('field.reason')}>{day.override?.reason}</Fact>
        </Facts>
      </Section>
      <Section title={t('day.own')}>
        {over ? <p className="pg-help">{t('day.over')}</p> : <DayForm hub={hub} day={day} />}
      </Section>
      <Section title={t('part.absences')}>
        <AbsenceRows hub={hub} from={day.date} to={day.date} empty={t('absence.noneOfDay')} />
      </Section>
    </>
  );
}
