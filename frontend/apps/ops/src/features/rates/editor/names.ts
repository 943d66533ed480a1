import { moveKinds, provinceOf } from '@portage/api';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

import type { Figure } from '../card/figures.ts';
import { type Card, stepsOf } from '../card/paths.ts';
import { periodsOf } from '../card/year.ts';

/** The name of a place with rates or taxes of its own; one that this page does not know stands by its code. */
export function usePlaceName(): (place: string) => string {
  const { t } = useTranslation(['rates', 'domain']);
  return useCallback(
    (place) => {
      if (place === 'default') return t('section.default');
      if (place === 'QC_from_outside') return t('tax.fromOutside');
      const province = provinceOf(place);
      return province ? t(`domain:province.${province}`) : place;
    },
    [t],
  );
}

/** The periods of the card that comes with the program, which have names in every language. */
const knownPeriods = [
  'qc-moving-day',
  'qc-moving-peak',
  'qc-shoulder-before',
  'qc-shoulder-after',
  'qc-summer',
  'summer',
  'month-end',
  'month-end-qc',
  'weekend',
  'holiday',
] as const;

/** What a period is called in words: a name of one's own stands as it was typed, and one without a name has its number. */
export function usePeriodName(): (name: string, index: number) => string {
  const { t } = useTranslation('rates');
  return useCallback(
    (name, index) => {
      const known = knownPeriods.find((one) => one === name);
      return known ? t(`periodName.${known}`) : name || t('period.row', { number: index + 1 });
    },
    [t],
  );
}

/** What a figure is called, without its unit. */
export function useFigureName(): (figure: Figure) => string {
  const { t } = useTranslation(['rates', 'domain']);
  return ({ name, tier, moveKind, service, grade, of = '' }) => {
    if (name === 'truck_fee') return t('figure.truck_fee', { tier });
    if (name === 'minimum' && moveKind) {
      const kind = t(`domain:moveKind.${moveKind}`);
      return tier ? t('figure.minimum', { kind, tier }) : kind;
    }
    if (name === 'service' && service) return t(`domain:lineCode.${service}`);
    if (name === 'grade' && grade) return t(`domain:accessibility.${grade}`);
    if (name === 'heads') return t('figure.heads', { heads: of });
    if (name === 'item_heads') return of;
    if (name === 'minimum' || name === 'service' || name === 'grade') return of;
    return t(`figure.${name}`);
  };
}

/** The part of the card that a place belongs to, in words: for lines far from the field. */
export function usePartName(): (path: string, card: Card) => string {
  const { t } = useTranslation(['rates', 'domain']);
  const placeName = usePlaceName();
  const periodName = usePeriodName();
  return (path, card) => {
    const [part, second, third] = stepsOf(path);
    if (part === 'rates' && typeof second === 'string') return placeName(second);
    if (part === 'taxes' && typeof second === 'string') return t('tax.of', { place: placeName(second) });
    if (part === 'periods' && typeof second === 'number') {
      const name = periodsOf(card)[second]?.name;
      return name ? t('period.named', { name: periodName(name, second) }) : t('period.row', { number: second + 1 });
    }
    if (part === 'periods') return t('section.periods');
    if (part === 'taxes') return t('section.taxes');
    if (part === 'rates') return t('section.default');
    if (part === 'duration') {
      const kind = second === 'kinds' ? moveKinds.find((one) => one === third) : undefined;
      return kind ? t('kind.of', { kind: t(`domain:moveKind.${kind}`) }) : t('section.duration');
    }
    return t('section.general');
  };
}
