import { type MoveKind, moveKinds } from '@portage/api';
import { Glyph, type GlyphName } from '@portage/domain/glyphs';
import { FormProblems, SubmitButton, useFormShell } from '@portage/forms';
import { FurniturePicker } from '@portage/furniture';
import { ChoiceField, fieldId, PageHeading } from '@portage/kit';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

import { AskPerson } from '../../booking/ask/ask-person.tsx';
import { draftStore, useDraft } from '../../booking/draft/draft-store.ts';
import { stepOf } from '../../booking/draft/steps.ts';
import { CrewWarnings, mended, useWarningText } from '../../booking/estimate/crew-warnings.tsx';
import { useCrews } from '../../booking/estimate/comparisons.ts';
import { useEstimate } from '../../booking/estimate/estimate-context.tsx';
import { useLargestCrew } from '../../booking/estimate/rate-card.ts';
import { ProblemState } from '../../booking/estimate/problem-state.tsx';
import { StepActions } from '../../booking/wizard/step-actions.tsx';
import { TooFar } from '../../booking/wizard/too-far.tsx';
import { useGoOn, useGoOnText } from '../../booking/wizard/use-go-on.ts';
import classes from './crew-section.module.css';
import { CrewSection } from './crew-section.tsx';
import { assembled, moveFromDraft, moveSchema, moveToDraft } from './move-form.ts';
import { ServicesSection } from './services-section.tsx';
import { SpecialPhotos } from './special-photos.tsx';
import { useProposedCrew } from './use-proposed-crew.ts';

const path = '/move-type';

const glyphs: Record<MoveKind, GlyphName> = {
  residential: 'couch',
  storage: 'wardrobe',
  justMates: 'tools',
  longDistance: 'truck',
  commercial: 'desk',
  itemDelivery: 'box',
  curbside: 'bin',
  whiteGlove: 'mirror',
};

/** What is moved, and by how many. */
export function MoveTypePage() {
  const { t } = useTranslation(['move', 'domain', 'estimate', 'wizard']);
  const goOn = useGoOn(path);
  const goOnText = useGoOnText(t('next'));
  const draft = useDraft();
  const { phase, blocking, refused, problem, routeProblem, retry } = useEstimate();
  const warningText = useWarningText();
  const largestCrew = useLargestCrew();
  const proposed = useProposedCrew();
  const compared = useCrews();
  // what was compared before the last change says nothing of this move
  const larger = (compared.isPlaceholderData ? [] : (compared.data ?? [])).filter(
    ({ mateCount, warnings }) => mateCount > draft.mateCount && mateCount <= largestCrew && warnings.length === 0,
  );
  const enough = larger.length > 0 ? Math.min(...larger.map(({ mateCount }) => mateCount)) : null;
  const shell = useFormShell({
    schema: moveSchema(largestCrew),
    kept: {
      values: moveFromDraft(draft),
      keep: (values) => draftStore.patch(moveToDraft(draftStore.get(), values)),
    },
    labels: { selectedFurnitures: t('items.title'), mateCount: t('crew.mates') },
    obstacles: [
      ...(refused === 'distance' ? [{ key: 'distance', text: t('wizard:way.tooFar') }] : []),
      ...blocking.map((warning) => ({
        key: warning.code,
        fieldId: fieldId('mateCount'),
        text: warningText(mended(warning, enough)),
      })),
    ],
    // the answer to the last change decides
    settling: phase === 'loading' || phase === 'updating' || proposed.settling,
    onTaken: goOn,
  });
  const { control, getValues } = shell.form;
  const { field: items, fieldState: itemsState } = useController({ control, name: 'selectedFurnitures' });

  return (
    <>
      <PageHeading title={t('title')} step={stepOf(path)} invalid={shell.summary.length > 0} />
      <FormProblems shell={shell} />
      <ChoiceField
        control={control}
        name="bookingType"
        label={t('kind.legend')}
        columns="pair"
        choices={moveKinds.map((kind) => ({
          value: kind,
          label: t(`domain:moveKind.${kind}`),
          description: t(`kind.${kind}`),
          glyph: <Glyph name={glyphs[kind]} size={36} />,
        }))}
      />
      <section className={classes['items']} aria-labelledby="items-title">
        <h2 id="items-title">{t('items.title')}</h2>
        <FurniturePicker
          id={fieldId('selectedFurnitures')}
          selected={items.value}
          onChange={(change) => items.onChange(change(getValues('selectedFurnitures')))}
          error={itemsState.error ? t('items.required') : undefined}
          rooms={draft.rooms}
          onRooms={(rooms) => draftStore.patch({ rooms })}
          ownItems={draft.ownItems}
          onOwnItems={(ownItems) => draftStore.patch({ ownItems })}
          assembly={draft.assembly && assembled(draft.bookingType)}
        />
        <SpecialPhotos />
      </section>
      <ServicesSection />
      <CrewSection control={control} proposed={proposed.mates} />
      <div style={{ display: 'grid', gap: 12, marginTop: 24 }}>
        <TooFar />
        <CrewWarnings warnings={proposed.settling ? [] : blocking} enough={enough} />
        {phase === 'failed' || phase === 'stale' ? (
          <ProblemState problem={problem ?? routeProblem} title={t('estimate:failed')} onRetry={retry} />
        ) : null}
        {problem?.code === 'contact_support' ? <AskPerson why={['too_large']} /> : null}
      </div>
      <StepActions path={path} goOn={() => void shell.submit()}>
        <SubmitButton shell={shell} formless size="lg">
          {goOnText}
        </SubmitButton>
      </StepActions>
    </>
  );
}
