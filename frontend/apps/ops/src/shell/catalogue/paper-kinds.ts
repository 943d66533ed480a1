import { useTranslation } from 'react-i18next';

import { wordsOf } from './kept-words.ts';
import { useShortDay } from './last-day.tsx';

/** Papers that end, as they are kept, with the key of their text. */
const paperKinds = [
  ['Driving licence', 'drivingLicence'],
  ['Insurance', 'insurance'],
  ['Background check', 'backgroundCheck'],
  ['First aid', 'firstAid'],
  ['Work permit', 'workPermit'],
] as const;

/** The papers of mates by name; those of trucks have a name as well. */
export function usePaperKinds() {
  const { t } = useTranslation('catalogue');
  const ofMates = wordsOf(paperKinds.map(([value, key]) => ({ value, label: t(`paperKind.${key}`) })));
  const all = wordsOf([...ofMates.options, { value: 'Inspection', label: t('paperKind.inspection') }]);
  return { ...ofMates, label: all.label };
}

/** Says of a paper that it has ended, and when. */
export function useEndedText(): (paper: { kind: string; expiresOn: string }) => string {
  const { t } = useTranslation('catalogue');
  const kinds = usePaperKinds();
  const short = useShortDay();
  return ({ kind, expiresOn }) =>
    t('ends.of', { what: kinds.label(kind), text: t('ends.expired', { day: short(expiresOn) }) });
}
