import { asProblem } from '@portage/api';
import { FormShell, useFormShell } from '@portage/forms';
import { queryClient } from '@portage/frame';
import { formatItems, useLanguage } from '@portage/i18n';
import { Notice } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { showToast } from '@portage/kit/desk/toasts';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useUnsaved } from '../../shell/unsaved.ts';
import classes from './calendar.module.css';
import { whats } from './load.ts';
import {
  capacityOf,
  changedDays,
  mergedWeek,
  typed,
  valuesOf,
  weekPath,
  weekSchema,
  type WeekValues,
} from './numbers.ts';
import { calendarKey, readWeek, saveWeek } from './queries.ts';
import { ShortfallNotice } from './shortfall-notice.tsx';
import type { CalendarWeek } from './types.ts';
import type { Hub } from './use-address.ts';
import { WeekFields } from './week-fields.tsx';
import { useWeekdays, useWhatText } from './words.ts';

const formOf = ({ week }: CalendarWeek): WeekValues => ({ week: week.map(valuesOf) });

/** What a hub has on each weekday, saved over nobody else's change without being asked. */
export function WeekForm({ hub, week }: { hub: Hub; week: CalendarWeek }) {
  const { t } = useTranslation(['calendar', 'catalogue', 'person', 'common']);
  const language = useLanguage();
  const weekdays = useWeekdays();
  const whatText = useWhatText();
  /** What the form began with, and whose version it would replace. */
  const [base, setBase] = useState(week);
  /** What a colleague saved while the form was open. */
  const [theirs, setTheirs] = useState<CalendarWeek | null>(null);
  const labels: Record<string, string> = Object.fromEntries(
    weekdays.flatMap((weekday, index) =>
      whats.map((what) => [weekPath(index, what), t('week.field', { weekday, what: whatText(what) })] as const),
    ),
  );
  const shell = useFormShell<WeekValues, CalendarWeek>({
    schema: weekSchema,
    labels,
    defaultValues: formOf(base),
    check: 'onSubmit',
    send: async (values) => {
      try {
        return await saveWeek(hub, base.version, { week: values.week.map(capacityOf) });
      } catch (error) {
        // without theirs the refusal is told as it came
        if (asProblem(error).status === 412) setTheirs(await readWeek(hub).catch(() => null));
        throw error;
      }
    },
    onTaken: async (saved, form) => {
      setBase(saved);
      form.reset(formOf(saved));
      showToast({ text: t('week.saved') });
      await queryClient.invalidateQueries({ queryKey: calendarKey });
    },
  });
  const { form } = shell;
  const { isDirty } = form.formState;
  useUnsaved(isDirty);
  const beginAgain = useEffectEvent(() => {
    setBase(week);
    form.reset(formOf(week));
  });
  // nothing is typed here: what a colleague saved is what the form begins with
  const outdated = !isDirty && week.version > base.version;
  useEffect(() => {
    // what the form begins with lives in react-hook-form, which is told here
    // oxlint-disable-next-line react/set-state-in-effect
    if (outdated) beginAgain();
  }, [outdated]);

  const write = (values: WeekValues, from: number, to: number) => {
    for (let index = from; index <= to; index += 1)
      for (const what of whats) {
        const day = values.week[index];
        if (day) form.setValue(weekPath(index, what), typed(day, what), { shouldDirty: true });
      }
  };
  const copyMonday = () => {
    const [monday] = form.getValues().week;
    if (!monday) return;
    // what was wrong there is not wrong any more, or it is said again
    form.clearErrors();
    write({ week: weekdays.map(() => monday) }, 1, 4);
  };
  const takeOver = (keep: boolean) => {
    if (!theirs) return;
    const merged = mergedWeek(formOf(base), form.getValues(), formOf(theirs));
    form.reset(formOf(theirs));
    if (keep) write(merged, 0, 6);
    setBase(theirs);
    setTheirs(null);
    shell.forgetProblem();
  };
  const changed = theirs ? changedDays(formOf(base), formOf(theirs)) : [];

  return (
    <FormShell
      shell={shell}
      size="md"
      submitLabel={t('week.save')}
      className={classes['form']}
      actions={<DeskButton onClick={copyMonday}>{t('week.copy')}</DeskButton>}
      renderRefusal={(problem) =>
        theirs ? (
          <Notice
            tone="warning"
            live
            title={t('week.conflict')}
            action={
              <div className={classes['buttons']}>
                <DeskButton variant="primary" onClick={() => takeOver(true)}>
                  {t('catalogue:conflict.keep')}
                </DeskButton>
                <DeskButton onClick={() => takeOver(false)}>{t('person:conflict.again')}</DeskButton>
              </div>
            }
          >
            {changed.length > 0
              ? t('catalogue:conflict.changed', {
                  fields: formatItems(
                    changed.map((index) => weekdays[index] ?? ''),
                    language,
                  ),
                })
              : t('catalogue:conflict.text')}
          </Notice>
        ) : problem.code === 'capacity_taken' ? (
          <ShortfallNotice problem={problem} />
        ) : null
      }
    >
      <p className="pg-help">{t('week.help')}</p>
      <WeekFields control={form.control} weekdays={weekdays} labels={labels} />
    </FormShell>
  );
}
