import { FormProblems, type Obstacle, SubmitButton, useFormShell } from '@portage/forms';
import { ErrorState, fieldId, Notice, PageHeading } from '@portage/kit';
import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

import { addressRefusal } from '../../booking/draft/address-refusal.ts';
import { draftStore, useDraft } from '../../booking/draft/draft-store.ts';
import { stepOf } from '../../booking/draft/steps.ts';
import { type End, ends } from '../../booking/draft/ends.ts';
import { useEstimate } from '../../booking/estimate/estimate-context.tsx';
import { AreaNotice } from '../../booking/wizard/area-notice.tsx';
import { StepActions } from '../../booking/wizard/step-actions.tsx';
import { useGoOn, useGoOnText } from '../../booking/wizard/use-go-on.ts';
import { Way } from '../../booking/wizard/way.tsx';
import { EndSection } from './end-section.tsx';
import { locationsSchema } from './locations-form.ts';

const path = '/locations';

/** Where the move begins and ends. */
export function LocationsPage() {
  const { t } = useTranslation(['locations', 'address', 'wizard']);
  const goOn = useGoOn(path);
  const goOnText = useGoOnText(t('next'));
  const draft = useDraft();
  const { problem, routeProblem, refused, retry } = useEstimate();
  // focuses the field that the address of the page names; the heading was focused before
  const led = useLocation({ select: (location) => location.hash });
  useEffect(() => {
    document.getElementById(led)?.focus();
  }, [led]);
  const sentBack = useLocation({ select: (location) => location.state.refused });

  // the booking or the price was refused for an address; another address makes the refusal a thing of the past
  const told =
    sentBack && draft.ends[sentBack.end].place?.address.fullAddress === sentBack.place
      ? sentBack
      : addressRefusal(problem ?? routeProblem);
  const refusalOf = (end: End) => (told?.end === end ? told.text : null);
  const noRoute = routeProblem?.code === 'no_route' || (routeProblem?.status === 422 && told === null);

  const obstacles: Obstacle[] = [];
  if (refused === 'distance')
    obstacles.push({ key: 'distance', fieldId: fieldId('dropoff.place'), text: t('wizard:way.tooFar') });
  if (refused === 'area')
    obstacles.push({ key: 'area', fieldId: fieldId('dropoff.place'), text: t('wizard:area.unserved') });
  if (noRoute) obstacles.push({ key: 'route', fieldId: fieldId('dropoff.place'), text: t('route.notFound') });
  if (told) obstacles.push({ key: 'told', fieldId: fieldId(`${told.end}.place`), text: told.text });
  const shell = useFormShell({
    schema: locationsSchema,
    kept: { values: draft.ends, keep: (both) => draftStore.patch({ ends: both }) },
    labels: {},
    obstacles,
    // one line for each end, whatever is wrong with it
    summarise: (errors) =>
      ends.flatMap((end) => {
        const found = errors[end];
        if (!found) return [];
        const first = Object.keys(found)[0] ?? 'place';
        const text = !found.place
          ? t(`address.${end}Incomplete`)
          : found.place.message === 'locations:address.required'
            ? t(`address.${end}Required`)
            : t(`address.${end}NotComplete`);
        return [{ fieldId: fieldId(`${end}.${first}`), text }];
      }),
    onTaken: () => {
      draftStore.patch({ locationsConfirmed: true });
      goOn();
    },
  });
  const { control } = shell.form;

  return (
    <form onSubmit={(event) => void shell.submit(event)} noValidate>
      <PageHeading title={t('title')} lead={t('lead')} step={stepOf(path)} invalid={shell.summary.length > 0} />
      <FormProblems shell={shell} />
      <EndSection end="pickup" control={control} refused={refusalOf('pickup')} />
      <EndSection end="dropoff" control={control} refused={refusalOf('dropoff')} />
      <div style={{ display: 'grid', gap: 12 }}>
        <AreaNotice />
        {noRoute ? (
          <Notice tone="error" live>
            {t('route.notFound')}
          </Notice>
        ) : routeProblem && told === null ? (
          <ErrorState failure={routeProblem} onRetry={retry} />
        ) : null}
        {noRoute ? null : <Way />}
      </div>
      <StepActions path={path} goOn={() => void shell.submit()}>
        <SubmitButton shell={shell} size="lg">
          {goOnText}
        </SubmitButton>
      </StepActions>
    </form>
  );
}
