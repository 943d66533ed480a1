import { zodResolver } from '@hookform/resolvers/zod';
import { Button } from '@mantine/core';
import { ErrorState, ErrorSummary, fieldId, Notice, PageHeading, type SummaryItem } from '@portage/kit';
import { formatNumber, useLanguage } from '@portage/i18n';
import { useDurationText } from '@portage/domain';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

import { addressRefusal } from '../../booking/draft/address-refusal.ts';
import { areaVerdict } from '../../booking/draft/address.ts';
import { draftStore, useDraft } from '../../booking/draft/draft-store.ts';
import { useEstimate } from '../../booking/estimate/estimate-context.tsx';
import { StepActions } from '../../booking/wizard/step-actions.tsx';
import { EndSection } from './end-section.tsx';
import { type End, ends, fromDraft, locationsSchema, type LocationsValues, toDraft } from './locations-form.ts';

/** Keeps form and draft the same: every change of the form is saved at once, every other change of the draft reaches the form. */
function useDraftForm() {
  const form = useForm<LocationsValues>({
    resolver: zodResolver(locationsSchema),
    defaultValues: fromDraft(draftStore.get()),
    mode: 'onTouched',
  });
  const { reset, getValues, watch } = form;
  useEffect(() => {
    const watching = watch((values) => draftStore.patch(toDraft(values as LocationsValues)));
    // another tab, a prefill link that was just located, an edited booking that arrived
    const stop = draftStore.subscribe(() => {
      const stored = fromDraft(draftStore.get());
      if (JSON.stringify(stored) !== JSON.stringify(getValues())) reset(stored, { keepErrors: true });
    });
    return () => {
      watching.unsubscribe();
      stop();
    };
  }, [watch, reset, getValues]);
  return form;
}

/** Why going on was refused: it stays in the summary for as long as it is true. */
type Refusal = SummaryItem & { because: 'fields' | 'area' | 'route' | 'told' };

export function LocationsPage() {
  const { t } = useTranslation(['locations', 'address']);
  const language = useLanguage();
  const duration = useDurationText();
  const navigate = useNavigate();
  const draft = useDraft();
  const form = useDraftForm();
  const { route, problem, routeProblem, retry } = useEstimate();
  const sentBack = useLocation({ select: (location) => location.state.refused });
  const [attempt, setAttempt] = useState(0);
  const [refused, setRefused] = useState<Refusal[]>([]);
  const areaBox = useRef<HTMLDivElement>(null);

  // the booking or the price was refused for an address; another address makes the refusal a thing of the past
  const told =
    sentBack && draft[sentBack.end]?.fullAddress === sentBack.place
      ? sentBack
      : addressRefusal(problem ?? routeProblem);
  const refusalOf = (end: End) => (told?.end === end ? told.text : null);
  const verdict = areaVerdict(draft);
  const noRoute = routeProblem?.code === 'no_route' || (routeProblem?.status === 422 && told === null);

  const submit = form.handleSubmit(
    () => {
      const blocked: Refusal[] = [];
      if (verdict === 'refused')
        blocked.push({ because: 'area', fieldId: fieldId('dropoff.place'), text: t('area.unserved') });
      if (noRoute) blocked.push({ because: 'route', fieldId: fieldId('dropoff.place'), text: t('route.notFound') });
      if (told) blocked.push({ because: 'told', fieldId: fieldId(`${told.end}.place`), text: told.text });
      setRefused(blocked);
      if (blocked.length > 0) {
        setAttempt((now) => now + 1);
        return;
      }
      draftStore.patch({ locationsConfirmed: true });
      void navigate({ to: '/move-type' });
    },
    (errors) => {
      setRefused(
        ends.flatMap((end) => {
          const found = errors[end];
          if (!found) return [];
          const first = Object.keys(found)[0] ?? 'place';
          return [
            {
              because: 'fields',
              fieldId: fieldId(`${end}.${first}`),
              text: !found.place
                ? t(`address.${end}Incomplete`)
                : found.place.message === 'locations:address.required'
                  ? t(`address.${end}Required`)
                  : t(`address.${end}NotComplete`),
            },
          ];
        }),
      );
      setAttempt((now) => now + 1);
    },
  );
  // each line goes as soon as what it names is mended
  const holds = { fields: !form.formState.isValid, area: verdict === 'refused', route: noRoute, told: told !== null };
  const left = refused.filter((one) => holds[one.because]);

  return (
    <form onSubmit={submit} noValidate>
      <PageHeading title={t('title')} lead={t('lead')} step={{ n: 1, of: 6 }} invalid={left.length > 0} />
      {left.length > 0 ? <ErrorSummary items={left} attempt={attempt} /> : null}
      <EndSection end="pickup" control={form.control} refused={refusalOf('pickup')} />
      <EndSection end="dropoff" control={form.control} refused={refusalOf('dropoff')} />
      <div ref={areaBox} style={{ display: 'grid', gap: 12 }}>
        {verdict === 'refused' ? (
          <Notice tone="error" live title={t('area.unserved')}>
            {t('area.serviceArea')}
          </Notice>
        ) : null}
        {verdict === 'needsMontreal' ? (
          <Notice tone="warning" live>
            {t('area.serviceArea')}
          </Notice>
        ) : null}
        {noRoute ? (
          <Notice tone="error" live>
            {t('route.notFound')}
          </Notice>
        ) : routeProblem && told === null ? (
          <ErrorState failure={routeProblem} onRetry={retry} />
        ) : null}
        {route ? (
          <p className="pg-muted" role="status">
            {t('route.found', {
              distance: formatNumber(route.km, language, {
                style: 'unit',
                unit: 'kilometer',
                maximumFractionDigits: 1,
              }),
              duration: duration(route.minutes),
            })}
          </p>
        ) : null}
      </div>
      <StepActions back="/">
        <Button type="submit" size="lg">
          {t('next')}
        </Button>
      </StepActions>
    </form>
  );
}
