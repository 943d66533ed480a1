import { useTranslation } from 'react-i18next';

import { wordsOf } from '../../shell/catalogue/kept-words.ts';

/** What a mate can do, as it is kept, with the key of its text. Others are kept as they were typed. */
const skills = [
  ['piano', 'piano'],
  ['heavy items', 'heavyItems'],
  ['fragile items', 'fragileItems'],
  ['appliances', 'appliances'],
  ['assembly', 'assembly'],
  ['packing', 'packing'],
  ['driver', 'driver'],
] as const;

export function useSkills() {
  const { t } = useTranslation('mates');
  return wordsOf(skills.map(([value, key]) => ({ value, label: t(`skill.${key}`) })));
}
