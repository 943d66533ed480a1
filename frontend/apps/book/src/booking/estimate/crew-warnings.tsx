import { Button } from '@mantine/core';
import type { ApiProblem, BookingObstacle, EstimateWarning } from '@portage/api';
import { catalogueQuery } from '@portage/furniture';
import { formatItems, useLanguage } from '@portage/i18n';
import { fieldId, Notice } from '@portage/kit';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { AskPerson } from '../ask/ask-person.tsx';
import type { Draft } from '../draft/draft.ts';
import { draftStore } from '../draft/draft-store.ts';
import { useLargestCrew } from './rate-card.ts';

/** The sentence of a warning, with the pieces it is about; unknown ones read like the call for support. */
export function useWarningText(): (warning: EstimateWarning) => string {
  const { t } = useTranslation('estimate');
  const language = useLanguage();
  const catalogue = useQuery(catalogueQuery).data?.data ?? [];
  return ({ code, mates, items = [] }) => {
    if (code === 'heavy_item_single_mate') return t('warning.heavySingleMate');
    if (code === 'min_mates') return t('warning.minMates', { n: mates ?? 3 });
    if (items.length === 0) return t('warning.contactSupport');
    // the server named them in the language of then
    const names = items.map(({ id, name }) => catalogue.find((item) => item.id === id)?.name[language] ?? name);
    return t('warning.supportOnly', { items: formatItems(names, language) });
  };
}

/** What a warning stands for, where a person has to be asked. */
export function obstacleOf({ code, items }: EstimateWarning): BookingObstacle {
  if (code !== 'contact_support') return 'many_mates';
  return items && items.length > 0 ? 'heavy_items' : 'too_large';
}

/** The warning of a booking that was refused for its crew or its pieces; null for every other problem. */
export function warningOf({ code, members }: ApiProblem): EstimateWarning | null {
  if (code !== 'contact_support' && code !== 'min_mates' && code !== 'heavy_item_single_mate') return null;
  const items = Array.isArray(members['items']) ? (members['items'] as EstimateWarning['items']) : [];
  return { code, mates: typeof members['n'] === 'number' ? members['n'] : null, items: items ?? [] };
}

/** Nobody needs to be asked where a larger crew may be booked online: then so many are needed. */
export const mended = (warning: EstimateWarning, enough: number | null): EstimateWarning =>
  warning.code === 'contact_support' && enough !== null ? { code: 'min_mates', mates: enough, items: [] } : warning;

/** The button goes with what it mends: the focus goes to the crew that is chosen now, or to the page's heading. */
function choose(patch: Partial<Draft>) {
  draftStore.patch(patch);
  requestAnimationFrame(() => {
    (document.getElementById(fieldId('mateCount')) ?? document.querySelector('h1'))?.focus();
  });
}

interface CrewWarningsProps {
  warnings: EstimateWarning[];
  /** The smallest larger crew that nothing speaks against, where that is known. */
  enough?: number | null;
}

/** What stops this crew from doing this move, each with the change that mends it. */
export function CrewWarnings({ warnings, enough = null }: CrewWarningsProps) {
  const { t } = useTranslation('estimate');
  const text = useWarningText();
  const largestCrew = useLargestCrew();
  return warnings.map((given) => {
    const warning = mended(given, enough);
    const mates =
      warning.code === 'heavy_item_single_mate' ? 2 : warning.code === 'min_mates' ? (warning.mates ?? 3) : null;
    return (
      <Notice
        key={warning.code}
        tone="warning"
        live
        action={
          mates === null || mates > largestCrew ? (
            <AskPerson why={[obstacleOf(warning)]} />
          ) : (
            <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8 }}>
              <Button size="sm" variant="default" onClick={() => choose({ mateCount: mates, numberOfHelpers: mates })}>
                {t('warning.chooseMates', { count: mates })}
              </Button>
              {warning.code === 'heavy_item_single_mate' ? (
                <Button size="sm" variant="default" onClick={() => choose({ clientAsMate: true })}>
                  {t('warning.helpCarry')}
                </Button>
              ) : null}
            </div>
          )
        }
      >
        {text(warning)}
      </Notice>
    );
  });
}
