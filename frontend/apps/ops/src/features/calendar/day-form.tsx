import { asProblem } from '@portage/api';
import { FormShell, useFormShell } from '@portage/forms';
import { queryClient } from '@portage/frame';
import { fieldId, TextField } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { showToast } from '@portage/kit/desk/toasts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { useUnsaved } from '../../shell/unsaved.ts';
import classes from './calendar.module.css';
import { whats } from './load.ts';
import { dayBody, daySchema, dayValues, type DayValues, pathOf } from './numbers.ts';
import { calendarKey, followWeek, saveDay } from './queries.ts';
import { ShortfallNotice } from './shortfall-notice.tsx';
import type { CalendarDay } from './types.ts';
import type { Hub } from './use-address.ts';
import { useDayName, useWhatText } from './words.ts';

/** Gives a day numbers of its own, closes it, or lets it follow its week again. */
export function DayForm({ hub, day }: { hub: Hub; day: CalendarDay }) {
  const { t } = useTranslation(['calendar', 'common']);
  const whatText = useWhatText();
  const dayName = useDayName();
  const labels: Record<string, string> = {
    ...Object.fromEntries(whats.map((what) => [pathOf(what), whatText(what)] as const)),
    reason: t('field.reason'),
  };
  const readAgain = () => queryClient.invalidateQueries({ queryKey: calendarKey });
  const shell = useFormShell<DayValues, CalendarDay>({
    schema: daySchema,
    labels,
    defaultValues: dayValues(day),
    check: 'onSubmit',
    send: (values) => saveDay(hub, day.date, dayBody(values)),
    onTaken: async (saved, form) => {
      form.reset(dayValues(saved));
      showToast({ text: t('day.saved', { day: dayName(saved.date) }) });
      await readAgain();
    },
  });
  const { form } = shell;
  const { isDirty } = form.formState;
  useUnsaved(isDirty);

  // what a colleague changes meanwhile is taken over while nothing is typed here
  const stored = JSON.stringify(dayValues(day));
  const seen = useRef(stored);
  useEffect(() => {
    if (isDirty || seen.current === stored) return;
    seen.current = stored;
    form.reset(JSON.parse(stored) as DayValues);
  }, [form, isDirty, stored]);

  const follow = useMutation({
    mutationFn: () => followWeek(hub, day.date),
    onSuccess: async (now) => {
      if (now) form.reset(dayValues(now));
      // the button that was pressed goes away with the numbers of the day
      document.getElementById(fieldId('mates'))?.focus();
      showToast({ text: t('follow.done', { day: dayName(day.date) }) });
      await readAgain();
    },
  });
  const close = () => {
    for (const what of whats) form.setValue(pathOf(what), '0', { shouldDirty: true });
    form.setFocus('reason');
  };
  const { control } = form;
  return (
    <>
      <FormShell
        shell={shell}
        size="md"
        submitLabel={t('day.save')}
        className={classes['form']}
        renderRefusal={(problem) => (problem.code === 'capacity_taken' ? <ShortfallNotice problem={problem} /> : null)}
        actions={
          <>
            <DeskButton onClick={close}>{t('day.close')}</DeskButton>
            {day.override ? (
              <DeskButton variant="quiet" busy={follow.isPending} onClick={() => follow.mutate()}>
                {t('follow.open')}
              </DeskButton>
            ) : null}
          </>
        }
      >
        <p className="pg-help">{t('day.help')}</p>
        <div className={classes['fields']}>
          {whats.map((what) => (
            <TextField
              key={what}
              control={control}
              name={pathOf(what)}
              label={whatText(what)}
              inputMode="numeric"
              autoComplete="off"
            />
          ))}
          <div className={classes['wide']}>
            <TextField
              control={control}
              name="reason"
              label={t('field.reason')}
              description={t('field.reason.help')}
              maxLength={200}
              autoComplete="off"
              optional
            />
          </div>
        </div>
      </FormShell>
      {follow.isError ? <ShortfallNotice problem={asProblem(follow.error)} /> : null}
    </>
  );
}
