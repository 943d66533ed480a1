import type { AvailabilityDay, Slot } from '@portage/api';
import { montrealZone, useStartClock } from '@portage/domain';
import { formatCalendarDate, formatTime, formatWallTime, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

import { dayParts, partOf } from './calendar.ts';
import classes from './slot-list.module.css';

/** A start in words: Montreal time first, and the time at the pickup after it when they differ. */
export function useSlotText(): (slot: { time: string; startsAt: string }) => string {
  const language = useLanguage();
  const clock = useStartClock();
  return (slot) => (slot.startsAt ? clock(slot.startsAt, slot.time) : formatWallTime(slot.time, language));
}

interface SlotListProps {
  day: AvailabilityDay;
  zone: string;
  /** The start this person holds on this day; it stays selectable although it counts as taken. */
  held: string | null;
  value: string | null;
  pending: string | null;
  /** What the move costs on this day, in words. */
  cost: string | null;
  onChoose: (slot: Slot) => void;
}

/** Start times as radio buttons, grouped by part of the day; groups without any are left out. */
export function SlotList({ day, zone, held, value, pending, cost, onChoose }: SlotListProps) {
  const { t } = useTranslation('schedule');
  const language = useLanguage();
  const text = useSlotText();
  /** The clock at the pickup is not Montreal's. */
  const elsewhere = zone !== montrealZone;
  const open = day.slots.filter((slot) => slot.available || slot.time === held);
  return (
    <fieldset className={classes['root']}>
      <legend className={classes['legend']}>
        <h2 id="slots-title" tabIndex={-1}>
          {t('slots.title', { date: formatCalendarDate(day.date, language, { dateStyle: 'full' }) })}
        </h2>
        {cost ? <p className={classes['cost']}>{cost}</p> : null}
        {elsewhere ? <p className="pg-small pg-muted">{t('slots.localTime')}</p> : null}
      </legend>
      {dayParts.map((part) => {
        const group = open.filter((slot) => partOf(slot.time) === part);
        if (group.length === 0) return null;
        return (
          <div key={part} role="group" aria-labelledby={`part-${part}`}>
            <h3 id={`part-${part}`}>{t(`slots.${part}`)}</h3>
            <div className={classes['slots']} data-two={elsewhere || undefined}>
              {group.map((slot) => (
                <label
                  key={slot.time}
                  className={classes['slot']}
                  data-checked={slot.time === (pending ?? value) || undefined}
                  data-pending={slot.time === pending || undefined}
                >
                  <input
                    type="radio"
                    name="slot"
                    value={slot.time}
                    checked={slot.time === (pending ?? value)}
                    // never disabled: the one just chosen has the focus
                    aria-disabled={pending !== null || undefined}
                    onChange={() => onChoose(slot)}
                  />
                  {elsewhere && slot.startsAt ? (
                    <>
                      <span>{formatWallTime(slot.time, language)}</span>
                      <span className={classes['montreal']}>
                        {t('slots.inMontreal', { time: formatTime(slot.startsAt, montrealZone, language) })}
                      </span>
                    </>
                  ) : (
                    text(slot)
                  )}
                </label>
              ))}
            </div>
          </div>
        );
      })}
    </fieldset>
  );
}
