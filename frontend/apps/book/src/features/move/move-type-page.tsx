import { Button } from '@mantine/core';
import { type MoveKind, moveKinds } from '@portage/api';
import { Glyph, type GlyphName } from '@portage/domain';
import { FurniturePicker } from '@portage/furniture';
import { ChoiceGroup, ErrorSummary, PageHeading, type SummaryItem } from '@portage/kit';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { draftStore, useDraft } from '../../booking/draft/draft-store.ts';
import { stepDone } from '../../booking/draft/steps.ts';
import { CrewWarnings, useWarningText } from '../../booking/estimate/crew-warnings.tsx';
import { useEstimate } from '../../booking/estimate/estimate-context.tsx';
import { useOnlineHeads } from '../../booking/estimate/online-heads.ts';
import { ProblemState } from '../../booking/estimate/problem-state.tsx';
import { StepActions } from '../../booking/wizard/step-actions.tsx';
import { SupportLinks } from '../../shell/chat/support-links.tsx';
import { CrewSection } from './crew-section.tsx';

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

function chooseKind(bookingType: MoveKind): void {
  const was = draftStore.get();
  // the kind "just mates" is the flag of the same name; leaving that kind brings the truck back
  if (bookingType === 'justMates') draftStore.patch({ bookingType, justMates: true, rideAlong: false });
  else draftStore.patch({ bookingType, ...(was.bookingType === 'justMates' ? { justMates: false } : {}) });
}

export function MoveTypePage() {
  const { t } = useTranslation(['move', 'domain', 'estimate']);
  const navigate = useNavigate();
  const draft = useDraft();
  const { phase, blocking, problem, routeProblem, retry } = useEstimate();
  const warningText = useWarningText();
  const heads = useOnlineHeads();
  const [attempt, setAttempt] = useState(0);
  const [pressed, setPressed] = useState(false);
  const settling = phase === 'loading' || phase === 'updating';

  const problems: SummaryItem[] = [];
  if (!stepDone(draft, 2)) problems.push({ fieldId: 'furniture-search', text: t('items.required') });
  const crowd = draft.mateCount + (draft.clientAsMate ? 1 : 0) > heads;
  if (crowd) problems.push({ fieldId: 'mate-count', text: t('crew.tooLarge') });
  for (const warning of blocking) problems.push({ fieldId: 'mate-count', text: warningText(warning) });

  // the answer to the last change decides, so a press while the price is being worked out waits for it
  useEffect(() => {
    if (!pressed || settling) return;
    setPressed(false);
    if (problems.length > 0) setAttempt((now) => now + 1);
    else void navigate({ to: '/schedule' });
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [pressed, settling]);

  const refused = attempt > 0 && problems.length > 0;
  return (
    <>
      <PageHeading title={t('title')} step={{ n: 2, of: 6 }} invalid={refused} />
      {refused ? <ErrorSummary items={problems} attempt={attempt} /> : null}
      <ChoiceGroup
        legend={t('kind.legend')}
        name="bookingType"
        value={draft.bookingType}
        onChange={chooseKind}
        choices={moveKinds.map((kind) => ({
          value: kind,
          label: t(`domain:moveKind.${kind}`),
          description: t(`kind.${kind}`),
          glyph: <Glyph name={glyphs[kind]} size={36} />,
        }))}
      />
      <CrewSection />
      <section style={{ marginTop: 40 }} aria-labelledby="items-title">
        <h2 id="items-title" style={{ marginBottom: 14 }}>
          {t('items.title')}
        </h2>
        <FurniturePicker
          selected={draft.selectedFurnitures}
          onChange={(change) => draftStore.patch({ selectedFurnitures: change(draftStore.get().selectedFurnitures) })}

          id="furniture-search"
          error={refused && !stepDone(draft, 2) ? t('items.required') : undefined}
        />
      </section>
      <div style={{ display: 'grid', gap: 12, marginTop: 24 }}>
        <CrewWarnings warnings={blocking} />
        {phase === 'failed' || phase === 'stale' ? (
          <ProblemState problem={problem ?? routeProblem} title={t('estimate:failed')} onRetry={retry} />
        ) : null}
        {problem?.code === 'contact_support' ? <SupportLinks /> : null}
      </div>
      <StepActions back="/locations">
        <Button size="lg" loading={pressed && settling} onClick={() => setPressed(true)}>
          {t('next')}
        </Button>
      </StepActions>
    </>
  );
}
