import { NativeSelect, TextInput } from '@mantine/core';
import { asProblem } from '@portage/api';
import { queryClient } from '@portage/frame';
import { formatName, isLanguage, type Language, languages, useLanguage } from '@portage/i18n';
import { PageHeading } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { type Day, isDay } from '@portage/kit/desk/dates';
import { Failed, NothingYet, Skeleton } from '@portage/kit/desk/states';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { deskToday } from '../../shell/company.ts';
import type { CrewJob } from '../../shell/crew-job/items.tsx';
import { HubsAwaited, HubSelect } from '../../shell/hub-select.tsx';
import { hubIn, useHubs } from '../../shell/hubs.ts';
import { useChanges } from '../../shell/live.ts';
import classes from './day-sheet.module.css';
import { InLanguage } from './in-language.tsx';
import { Paper } from './paper.tsx';
import { sheetQuery } from './queries.ts';

/** What of the board's changes a paper shows. */
const kinds = new Set(['booking', 'crew', 'note', 'truck']);

type Search = Record<string, unknown>;

/** What the page shows, read out of its address. */
function useSheetAddress() {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const own = useLanguage();
  const go = (next: Search) =>
    void navigate({ to: '.', search: ((before: Search) => ({ ...before, ...next })) as never, resetScroll: false });
  const hub = hubIn(search['hub'], useHubs());
  const day: Day = isDay(search['day']) ? search['day'] : deskToday();
  const mate = typeof search['mate'] === 'string' ? search['mate'] : null;
  const language: Language = isLanguage(search['language']) ? search['language'] : own;
  return { hub, day, mate, language, go };
}

/** Everybody who is on a job of the day, by name. */
function everybody(jobs: readonly CrewJob[]): { id: string; name: string }[] {
  const found = new Map(jobs.flatMap((job) => job.crew.map(({ mateId, name }) => [mateId, name] as const)));
  return [...found].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name));
}

function DaySheetPage() {
  const { hub, ...rest } = useSheetAddress();
  return hub === null ? <HubsAwaited /> : <DaySheet hub={hub} {...rest} />;
}

type DaySheetProps = Omit<ReturnType<typeof useSheetAddress>, 'hub'> & { hub: string };

/** A day of a hub on paper, for all crews or for one of the mates, in the language they read. */
function DaySheet({ hub, day, mate, language, go }: DaySheetProps) {
  const { t } = useTranslation(['daySheet', 'common']);
  const sheet = useQuery(sheetQuery(hub, day, language));
  useChanges(({ kind }) => {
    if (kinds.has(kind)) void queryClient.invalidateQueries({ queryKey: ['desk', 'dispatch', 'sheet'] });
  });
  const jobs = sheet.data?.data ?? [];
  const on = new Map(sheet.data?.mates.map((one) => [one.mateId, one]));
  const mates = everybody(jobs);
  const theirs = mate ? jobs.filter((job) => job.crew.some(({ mateId }) => mateId === mate)) : jobs;
  const name = mates.find(({ id }) => id === mate)?.name ?? null;
  return (
    <>
      <div className={classes['choose']}>
        <p>
          <Link to="/dispatch" search={{ hub, day } as never}>
            {t('back')}
          </Link>
        </p>
        <PageHeading title={t('paper')} lead={t('lead')} />
        <div className={classes['inputs']}>
          <HubSelect value={hub} onChange={(next) => go({ hub: next, mate: undefined })} />
          <TextInput
            label={t('day')}
            type="date"
            value={day}
            onChange={(event) => {
              if (isDay(event.currentTarget.value)) go({ day: event.currentTarget.value, mate: undefined });
            }}
          />
          <NativeSelect
            label={t('for')}
            value={mate ?? ''}
            data={[
              { value: '', label: t('all') },
              ...mates.map(({ id, name: one }) => ({ value: id, label: formatName(one) })),
            ]}
            onChange={(event) => {
              const { value } = event.currentTarget;
              // the paper of one person speaks what they read
              const reads = (on.get(value)?.languages ?? []).filter(isLanguage);
              go({
                mate: value || undefined,
                ...(reads[0] && !reads.includes(language) ? { language: reads[0] } : {}),
              });
            }}
          />
          <NativeSelect
            label={t('language')}
            value={language}
            data={languages.map((value) => ({ value, label: t(`common:lang.${value}`) }))}
            onChange={(event) => go({ language: event.currentTarget.value })}
          />
          <DeskButton variant="primary" disabled={theirs.length === 0} onClick={() => window.print()}>
            {t('print')}
          </DeskButton>
        </div>
      </div>
      {sheet.isError ? (
        <Failed title={t('failed')} failure={asProblem(sheet.error)} onRetry={() => void sheet.refetch()} />
      ) : null}
      {sheet.isPending ? <Skeleton label={t('loading')} rows={8} /> : null}
      {sheet.data && theirs.length === 0 ? (
        <NothingYet title={name ? t('empty.mate', { name: formatName(name) }) : t('empty')}>
          {t('empty.help')}
        </NothingYet>
      ) : null}
      {theirs.length > 0 ? (
        <InLanguage language={language}>
          <Paper hub={hub} day={day} mate={name} jobs={theirs} isAway={(id) => on.get(id)?.away === true} />
        </InLanguage>
      ) : null}
    </>
  );
}

export const Route = createLazyRoute('/desk/dispatch/sheet')({ component: DaySheetPage });
