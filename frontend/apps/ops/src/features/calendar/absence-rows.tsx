import { asProblem } from '@portage/api';
import { ConfirmDialog, queryClient } from '@portage/frame';
import { ErrorState } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import type { Day } from '@portage/kit/desk/dates';
import { Failed, Skeleton } from '@portage/kit/desk/states';
import { showToast } from '@portage/kit/desk/toasts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './calendar.module.css';
import { absencesQuery, calendarKey, removeAbsence } from './queries.ts';
import type { AbsenceRecord } from './types.ts';
import type { Hub } from './use-address.ts';
import { nameOf, useDayName } from './words.ts';

interface AbsenceRowsProps {
  hub: Hub;
  /** Those that touch these days, both counted. */
  from: Day;
  to: Day;
  /** Said while there is none. */
  empty: string;
}

/** Who is away, from when to when and why, each with its removal. */
export function AbsenceRows({ hub, from, to, empty }: AbsenceRowsProps) {
  const { t } = useTranslation('calendar');
  const dayName = useDayName();
  const list = useRef<HTMLDivElement>(null);
  const absences = useQuery(absencesQuery(hub, from, to));
  const [leaving, setLeaving] = useState<AbsenceRecord | null>(null);
  const [asking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: (absence: AbsenceRecord) => removeAbsence(absence.id),
    onSuccess: async (_, absence) => {
      setAsking(false);
      showToast({ text: t('absence.removed', { name: nameOf(absence) }) });
      await queryClient.invalidateQueries({ queryKey: calendarKey });
      // the button that opened the question is gone with its row
      list.current?.focus();
    },
  });
  const span = (absence: AbsenceRecord) =>
    absence.from === absence.to
      ? dayName(absence.from)
      : t('absence.span', { first: dayName(absence.from), last: dayName(absence.to) });
  if (absences.isPending) return <Skeleton label={t('part.absences')} rows={2} />;
  const rows = absences.data?.data ?? [];
  return (
    <div ref={list} tabIndex={-1} className={classes['rows']}>
      {absences.isError ? (
        <Failed
          title={t('absence.failed')}
          failure={asProblem(absences.error)}
          onRetry={() => void absences.refetch()}
        />
      ) : null}
      {rows.length > 0 ? (
        <ul>
          {rows.map((absence) => (
            <li key={absence.id}>
              <span className={classes['who']}>
                <Link to={absence.who.type === 'mate' ? '/mates' : '/trucks'} search={{ open: absence.who.id }}>
                  {nameOf(absence)}
                </Link>
                <span className={classes['when']}>{span(absence)}</span>
                {absence.reason ? <span className={classes['when']}>{absence.reason}</span> : null}
              </span>
              <DeskButton
                variant="quiet"
                aria-label={t('absence.removeName', { name: nameOf(absence) })}
                onClick={() => {
                  remove.reset();
                  setLeaving(absence);
                  setAsking(true);
                }}
              >
                {t('absence.remove')}
              </DeskButton>
            </li>
          ))}
        </ul>
      ) : absences.isError ? null : (
        <p className="pg-help">{empty}</p>
      )}
      <ConfirmDialog
        opened={asking}
        title={t('absence.question', { name: leaving ? nameOf(leaving) : '' })}
        confirmLabel={t('absence.remove')}
        danger
        loading={remove.isPending}
        onConfirm={() => leaving && remove.mutate(leaving)}
        onCancel={() => setAsking(false)}
      >
        {remove.isError ? (
          <ErrorState led failure={asProblem(remove.error)} title={t('absence.removeFailed')} />
        ) : leaving ? (
          t('absence.removeHelp', { days: span(leaving) })
        ) : null}
      </ConfirmDialog>
    </div>
  );
}
