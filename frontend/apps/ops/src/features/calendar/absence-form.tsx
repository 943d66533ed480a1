import { asProblem, newIdempotencyKey } from '@portage/api';
import { FormShell, useFormShell } from '@portage/forms';
import { queryClient } from '@portage/frame';
import { formatName } from '@portage/i18n';
import { SelectField, TextField } from '@portage/kit';
import type { Day } from '@portage/kit/desk/dates';
import { Failed, Skeleton } from '@portage/kit/desk/states';
import { showToast } from '@portage/kit/desk/toasts';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';

import { useUnsaved } from '../../shell/unsaved.ts';
import { assignedOf, type AssignedMove, StillAssigned } from './assigned.tsx';
import classes from './calendar.module.css';
import { addAbsence, awayQuery, calendarKey } from './queries.ts';
import { ShortfallNotice } from './shortfall-notice.tsx';
import type { AbsenceRecord, AbsenceRequest } from './types.ts';
import type { Hub } from './use-address.ts';
import { nameOf } from './words.ts';

/** What the request has in the place of the one field. */
const whoFields = new Set(['mateId', 'truckId', 'hub']);
const required = 'common:form.required';
const schema = z
  .object({
    /** `mate` or `truck`, a colon, and the id: a field of choice has one value. */
    who: z.string().check(z.minLength(1, required)),
    from: z.string().check(z.minLength(1, required)),
    to: z.string().check(z.minLength(1, required)),
    reason: z.string().check(z.trim(), z.maxLength(200, 'person:tooLong')),
  })
  .check(
    z.refine(({ from, to }) => !from || !to || from <= to, { path: ['to'], error: 'calendar:form.lastBeforeFirst' }),
  );
type Values = z.infer<typeof schema>;

function bodyOf(hub: Hub, { who, from, to, reason }: Values): AbsenceRequest {
  const [kind, id] = [who.slice(0, who.indexOf(':')), who.slice(who.indexOf(':') + 1)];
  return {
    ...(kind === 'truck' ? { truckId: id } : { mateId: id }),
    hub,
    from,
    to,
    ...(reason ? { reason } : {}),
  };
}

/** A key for what is sent: the same after a lost answer; another for other words, and after a refusal. */
function useKeyFor() {
  const last = useRef<{ text: string; key: string } | null>(null);
  return {
    keyFor: (body: AbsenceRequest): string => {
      const text = JSON.stringify(body);
      if (last.current?.text !== text) last.current = { text, key: newIdempotencyKey() };
      return last.current.key;
    },
    forget: () => {
      last.current = null;
    },
  };
}

/** Writes down that a mate or a truck of the hub is away. */
export function AbsenceForm({ hub, today }: { hub: Hub; today: Day }) {
  const { t } = useTranslation(['calendar', 'shell', 'common']);
  const away = useQuery(awayQuery(hub));
  const [assigned, setAssigned] = useState<AssignedMove[]>([]);
  const { keyFor, forget } = useKeyFor();
  const labels: Record<keyof Values, string> = {
    who: t('absence.who'),
    from: t('absence.first'),
    to: t('absence.last'),
    reason: t('field.reason'),
  };
  const empty: Values = { who: '', from: today, to: today, reason: '' };
  const shell = useFormShell<Values, AbsenceRecord>({
    schema,
    labels,
    defaultValues: empty,
    check: 'onSubmit',
    send: async (values) => {
      const body = bodyOf(hub, values);
      setAssigned([]);
      try {
        return await addAbsence(body, keyFor(body));
      } catch (error) {
        // the refusal may not hold any more when the same is sent again
        if (!asProblem(error).transient) forget();
        throw error;
      }
    },
    onTaken: async (made, form) => {
      forget();
      form.reset(empty);
      setAssigned(assignedOf(made));
      showToast({ text: t('absence.added', { name: nameOf(made) }) });
      await queryClient.invalidateQueries({ queryKey: calendarKey });
    },
    fieldsOf: ({ code, detail, fieldErrors }) =>
      code === 'absence_overlaps'
        ? [{ field: 'who', message: detail }]
        : fieldErrors.map((one) => ({ ...one, field: whoFields.has(one.field) ? 'who' : one.field })),
  });
  const { control, formState } = shell.form;
  useUnsaved(formState.isDirty);
  if (away.isPending) return <Skeleton label={t('absence.who')} rows={2} />;
  if (!away.data)
    return (
      <Failed title={t('absence.whoFailed')} failure={asProblem(away.error)} onRetry={() => void away.refetch()} />
    );
  const { mates, trucks } = away.data;
  return (
    <>
      {assigned.length > 0 ? <StillAssigned moves={assigned} onDismiss={() => setAssigned([])} /> : null}
      <FormShell
        shell={shell}
        size="md"
        submitLabel={t('absence.add')}
        className={classes['form']}
        renderRefusal={(problem) => (problem.code === 'capacity_taken' ? <ShortfallNotice problem={problem} /> : null)}
      >
        <div className={classes['fields']}>
          <div className={classes['wide']}>
            <SelectField
              control={control}
              name="who"
              label={labels.who}
              data={[
                { value: '', label: t('absence.choose') },
                {
                  group: t('shell:area.mates'),
                  items: mates.map(({ id, name, number }) => ({
                    value: `mate:${id}`,
                    label: `${number} ${formatName(name)}`,
                  })),
                },
                {
                  group: t('shell:area.trucks'),
                  items: trucks.map(({ id, name, size }) => ({
                    value: `truck:${id}`,
                    label: t('absence.truck', { name, feet: Number.parseInt(size, 10) }),
                  })),
                },
              ]}
            />
          </div>
          <TextField control={control} name="from" label={labels.from} type="date" />
          <TextField control={control} name="to" label={labels.to} type="date" min={today} />
          <div className={classes['wide']}>
            <TextField
              control={control}
              name="reason"
              label={labels.reason}
              maxLength={200}
              autoComplete="off"
              optional
            />
          </div>
        </div>
      </FormShell>
    </>
  );
}
