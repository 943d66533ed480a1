import { useTranslation } from 'react-i18next';

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

/** Papers that end, as they are kept, with the key of their text. */
const paperKinds = [
  ['Driving licence', 'drivingLicence'],
  ['Insurance', 'insurance'],
  ['Background check', 'backgroundCheck'],
  ['First aid', 'firstAid'],
  ['Work permit', 'workPermit'],
] as const;

interface Named {
  value: string;
  label: string;
}

const fold = (text: string) => text.trim().toLocaleLowerCase();

/** Words that are kept in English and shown in every language; what is typed in either is kept as one. */
function wordsOf(named: Named[]) {
  return {
    options: named,
    label: (value: string) => named.find((one) => fold(one.value) === fold(value))?.label ?? value,
    valueOf: (typed: string) =>
      named.find((one) => [one.label, one.value].some((text) => fold(text) === fold(typed)))?.value ?? typed.trim(),
  };
}

export function useSkills() {
  const { t } = useTranslation('mates');
  return wordsOf(skills.map(([value, key]) => ({ value, label: t(`skill.${key}`) })));
}

export function usePaperKinds() {
  const { t } = useTranslation('mates');
  return wordsOf(paperKinds.map(([value, key]) => ({ value, label: t(`paperKind.${key}`) })));
}
