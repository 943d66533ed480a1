import { asProblem } from '@portage/api';
import { queryClient } from '@portage/frame';
import { formatList, formatName, useLanguage } from '@portage/i18n';
import { useDurationText } from '@portage/domain';
import { Reason } from '@portage/kit';
import { CheckBox, DeskButton } from '@portage/kit/desk/button';
import { Drawer } from '@portage/kit/desk/drawer';
import { Failed, Skeleton } from '@portage/kit/desk/states';
import { showToast } from '@portage/kit/desk/toasts';
import { NativeSelect } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useEndedText } from '../../shell/catalogue/paper-kinds.ts';
import { Section } from '../../shell/catalogue/parts.tsx';
import classes from './dispatch.module.css';
import type { Drop } from './drop.ts';
import { dispatchKey, nameCrew, suggestionsQuery } from './queries.ts';
import type { CrewSuggestions, DispatchJob, SuggestedMate, SuggestedTruck } from './types.ts';
import { useWayBack } from './way-back.ts';
import { useClashText, useTimes } from './words.ts';

interface CrewPanelProps {
  /** The job whose crew is chosen; null when none is. */
  job: DispatchJob | null;
  /** What was dropped on it and leaves something to decide: chosen beforehand. */
  dropped: Drop | null;
  onClose: () => void;
}

/** "Move to…": who goes on a job, with which truck. Everything is a native field, so that keys alone do it. */
export function CrewPanel({ job, dropped, onClose }: CrewPanelProps) {
  const { t } = useTranslation('dispatch');
  const times = useTimes();
  return (
    <Drawer
      opened={job !== null}
      onClose={onClose}
      title={job ? t('move.of', { number: job.shortId }) : t('loading')}
      kicker={job ? `${times(job)} · ${formatName(job.customerName)}` : null}
      returnFocusTo={useWayBack(job?.id ?? null)}
    >
      {job ? (
        <Choice key={job.id} job={job} dropped={dropped} onClose={onClose} />
      ) : (
        <Skeleton label={t('loading')} kind="record" />
      )}
    </Drawer>
  );
}

interface ChoiceProps {
  job: DispatchJob;
  dropped: Drop | null;
  onClose: () => void;
}

function Choice({ job, dropped, onClose }: ChoiceProps) {
  const { t } = useTranslation('dispatch');
  const found = useQuery(suggestionsQuery(job.id));
  if (found.isPending) return <Skeleton label={t('panel.mates')} rows={6} />;
  if (!found.data)
    return <Failed title={t('panel.failed')} failure={asProblem(found.error)} onRetry={() => void found.refetch()} />;
  return <CrewForm job={job} dropped={dropped} found={found.data} onClose={onClose} />;
}

function CrewForm({ job, dropped, found, onClose }: ChoiceProps & { found: CrewSuggestions }) {
  const { t } = useTranslation('dispatch');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(dropped?.mates ?? job.crew.map(({ mateId }) => mateId)),
  );
  const [truck, setTruck] = useState((dropped ? dropped.truck : job.truck?.id) ?? '');
  const truckText = useTruckText();
  const save = useMutation({
    mutationFn: () => nameCrew(job.id, [...chosen], truck || null),
    onSuccess: async (named) => {
      showToast({ text: t('panel.saved', { number: named.shortId }) });
      await queryClient.invalidateQueries({ queryKey: dispatchKey });
      onClose();
    },
    // somebody may have been taken meanwhile: what is shown is looked at again
    onError: () => void queryClient.invalidateQueries({ queryKey: dispatchKey }),
  });
  const problem = save.isError ? asProblem(save.error) : null;
  const missing = found.wanted - chosen.size;
  const gone = job.crew.filter(({ mateId }) => !found.mates.some(({ id }) => id === mateId));
  const toggle = (id: string, on: boolean) =>
    setChosen((before) => {
      const next = new Set(before);
      if (on) next.add(id);
      else next.delete(id);
      return next;
    });
  return (
    <form
      className={classes['crew']}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Section title={t('panel.mates')}>
        <p className="pg-help">{t('panel.wanted', { count: found.wanted })}</p>
        <DeskButton
          onClick={() => {
            setChosen(new Set(found.mates.filter(({ suggested }) => suggested).map(({ id }) => id)));
            setTruck(found.trucks.find(({ suggested }) => suggested)?.id ?? truck);
          }}
        >
          {t('panel.suggest')}
        </DeskButton>
        <ul className={classes['choices']}>
          {found.mates.map((mate) => (
            <MateChoice key={mate.id} mate={mate} chosen={chosen.has(mate.id)} onChange={(on) => toggle(mate.id, on)} />
          ))}
          {gone.map(({ mateId, name }) => (
            <li key={mateId}>
              <CheckBox
                label={formatName(name)}
                labelShown
                checked={chosen.has(mateId)}
                onChange={(on) => toggle(mateId, on)}
              />
            </li>
          ))}
        </ul>
      </Section>
      {found.trucks.length > 0 ? (
        <Section title={t('panel.truck')}>
          <NativeSelect
            aria-label={t('panel.truck')}
            value={truck}
            data={[
              { value: '', label: t('panel.noTruck') },
              ...found.trucks.map((one) => ({
                value: one.id,
                label: truckText(one),
                disabled: one.id !== job.truck?.id && (!one.fits || one.away || one.taken !== null),
              })),
            ]}
            onChange={(event) => setTruck(event.currentTarget.value)}
          />
        </Section>
      ) : null}
      <div role="status" className={classes['told']}>
        {missing > 0 && chosen.size > 0 ? t('panel.fewer', { count: missing }) : null}
        {missing < 0 ? t('panel.more', { count: found.wanted }) : null}
      </div>
      {problem ? (
        <p role="alert" className={classes['refused']}>
          <Reason failure={problem} />
        </p>
      ) : null}
      <div className={classes['actions']}>
        <DeskButton variant="primary" submit busy={save.isPending} disabled={chosen.size === 0 || missing < 0}>
          {t('panel.save')}
        </DeskButton>
        <DeskButton onClick={onClose}>{t('panel.close')}</DeskButton>
      </div>
    </form>
  );
}

/** Somebody with what speaks for them, or what stands in the way. */
function MateChoice({
  mate,
  chosen,
  onChange,
}: {
  mate: SuggestedMate;
  chosen: boolean;
  onChange: (on: boolean) => void;
}) {
  const { t } = useTranslation('dispatch');
  const language = useLanguage();
  const clashText = useClashText();
  const duration = useDurationText();
  const endedText = useEndedText();
  const facts = mate.taken
    ? [t('reason.taken', { other: clashText(mate.taken) })]
    : mate.away
      ? [t('reason.away')]
      : [
          // what somebody has to look after is read first
          ...mate.ended.map(endedText),
          ...mate.reasons.map((reason) => t(`reason.${reason}`)),
          mate.minutesThatWeek > 0 ? t('reason.week', { time: duration(mate.minutesThatWeek) }) : t('reason.noWork'),
        ];
  return (
    <li data-free={mate.free || undefined}>
      <CheckBox
        label={formatName(mate.name)}
        labelShown
        checked={chosen}
        disabled={!mate.free && !chosen && !mate.onIt}
        onChange={onChange}
      />
      <p className="pg-help">{formatList(facts, language)}</p>
    </li>
  );
}

function useTruckText(): (truck: SuggestedTruck) => string {
  const { t } = useTranslation('dispatch');
  const language = useLanguage();
  const endedText = useEndedText();
  const clashText = useClashText();
  return (truck) => {
    const name = t('truck', { name: truck.name, feet: Number.parseInt(truck.size, 10) });
    if (truck.taken) return t('truck.taken', { truck: name, other: clashText(truck.taken) });
    if (truck.away) return t('truck.away', { truck: name });
    if (!truck.fits) return t('truck.small', { truck: name });
    return formatList([name, ...truck.ended.map(endedText)], language);
  };
}
