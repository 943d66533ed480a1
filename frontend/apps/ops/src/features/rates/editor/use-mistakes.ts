import type { ApiProblem } from '@portage/api';
import type { SummaryItem } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import type { Fault } from '../card/draft.ts';
import { choicesOf, type Figure, figuresOf } from '../card/figures.ts';
import { type Card, stepsOf } from '../card/paths.ts';
import { fieldIdOf, placeOf } from '../card/places.ts';
import type { BeginFault } from './begin.ts';
import { beginId } from './begin-fields.tsx';
import { effectId } from './effect.tsx';
import { useFigureName, usePartName } from './names.ts';

/** What is wrong, by the place on the page; what has no field there stands by its place in the card. */
export type Mistakes = Record<string, string>;
export const beginField = 'effectiveFrom';
export const effectField = 'effect';

/** The last name in a place: `km_fee` of `rates.MB.km_fee`. */
const lastName = (path: string) =>
  stepsOf(path)
    .filter((step) => typeof step === 'string')
    .at(-1);
const parts: readonly unknown[] = ['rates', 'taxes', 'periods', 'duration'];

/** Says what is wrong with a card, at its fields and in a summary. */
export function useMistakes() {
  const { t } = useTranslation('rates');
  const figureName = useFigureName();
  const partName = usePartName();

  const ofFaults = (faults: Record<string, Fault>): Mistakes =>
    Object.fromEntries(Object.entries(faults).map(([path, fault]) => [path, t(`wrong.${fault}`)]));
  const ofBegin = (fault: BeginFault): Mistakes => ({ [beginField]: t(`begin.${fault}`) });

  const say = (path: string, code: string, message: string): string => {
    if (/^periods\[\d+\]\.name$/.test(path)) return t('wrong.periodName');
    if (/^taxes\.\w+\.components$/.test(path)) return t('wrong.taxSum');
    if (path === 'duration.crew_efficiency_bp') return t('wrong.crew');
    if (path === 'level_two_threshold' && code === 'out_of_range') return t('wrong.thresholds');
    if (code === 'required') return t('wrong.required');
    if (code === 'out_of_range') return t('wrong.outOfRange');
    if (code === 'invalid') return t('wrong.unreadable');
    if (code === 'unknown') return t('wrong.unknown');
    return message;
  };
  /** A refusal of the server at the fields that it is about; empty when it is about none. */
  const ofProblem = (problem: ApiProblem, card: Card): Mistakes => {
    const found: Mistakes = {};
    for (const { field, code, message } of problem.fieldErrors) {
      if (field === beginField) {
        found[beginField] ??= t('begin.past');
        continue;
      }
      if (field !== 'card' && !field.startsWith('card.')) continue;
      const place = placeOf(field, card);
      found[place.field ?? place.path] ??= say(place.path, code, message);
    }
    return found;
  };

  /** A place that has no field here, in words; the name that the card has for it only where there is no other. */
  const placeName = (path: string, card: Card, figures: Iterable<Figure>): string => {
    const part = partName(path, card);
    const [first, ...rest] = stepsOf(path);
    if (parts.includes(first) && rest.length <= (first === 'duration' ? 0 : 1)) return part;
    const name = lastName(path);
    const known = [...figures].find((figure) => lastName(figure.path) === name);
    return known
      ? t('figureIn', { part, figure: figureName(known) })
      : t('figureUnknown', { part, figure: name ?? path });
  };
  /** The lines above the form, each with the way to its field. */
  const lines = (mistakes: Mistakes, card: Card): SummaryItem[] => {
    const figures = new Map(figuresOf(card).map((figure) => [figure.path, figure]));
    const choices = new Set(choicesOf(card));
    return Object.entries(mistakes).map(([path, text]): SummaryItem => {
      if (path === beginField) return { fieldId: beginId, text };
      if (path === effectField) return { fieldId: effectId, text };
      const figure = figures.get(path);
      const part = partName(path, card);
      return figure
        ? {
            fieldId: fieldIdOf(path),
            text: t('mistake', { place: t('figureIn', { part, figure: figureName(figure) }), text }),
          }
        : choices.has(path)
          ? { fieldId: fieldIdOf(path), text: t('mistake', { place: part, text }) }
          : // of the card as a whole the words stand for themselves
            { text: path === '' ? text : t('mistake', { place: placeName(path, card, figures.values()), text }) };
    });
  };
  return { ofFaults, ofBegin, ofProblem, lines };
}
