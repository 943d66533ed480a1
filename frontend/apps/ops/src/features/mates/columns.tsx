import type { Mate } from '@portage/api';
import { formatItems, formatName, useLanguage } from '@portage/i18n';
import type { Column } from '@portage/kit/desk/table';
import { useTranslation } from 'react-i18next';

import { Numbered } from '../../shell/catalogue/parts.tsx';
import { StateWord } from '../../shell/catalogue/state-word.tsx';
import { useHubName } from '../../shell/hubs.ts';
import { PaperAlarms } from './papers.tsx';
import { useSkills } from './words.ts';

export const columnKeys = [
  { key: 'name', main: true },
  { key: 'phone' },
  { key: 'hubs' },
  { key: 'languages' },
  // in words of one's own, of any length
  { key: 'skills', share: 100 },
  { key: 'papers' },
  { key: 'state' },
] as const;

export function useMateColumns(): Column<Mate>[] {
  const { t } = useTranslation(['mates', 'shell', 'person', 'common']);
  const language = useLanguage();
  const hubName = useHubName();
  const skills = useSkills();
  const list = (values: string[]) => formatItems(values, language);
  const about: Record<(typeof columnKeys)[number]['key'], Omit<Column<Mate>, 'key'>> = {
    name: {
      title: t('col.mate'),
      cell: (mate) => <Numbered number={mate.mateID}>{formatName(mate.name)}</Numbered>,
    },
    phone: { title: t('person:phone'), cell: (mate) => <span className="pg-num">{mate.phone}</span> },
    hubs: {
      title: t('col.hubs'),
      cell: (mate) => (mate.hubs.length > 0 ? list(mate.hubs.map(hubName)) : t('hubs.any')),
    },
    languages: {
      title: t('col.languages'),
      cell: (mate) => list(mate.languages.map((one) => t(`common:lang.${one}`))),
    },
    skills: { title: t('col.skills'), cell: (mate) => list(mate.skills.map(skills.label)) },
    papers: { title: t('col.papers'), cell: (mate) => <PaperAlarms mate={mate} /> },
    state: { title: t('shell:col.state'), cell: (mate) => <StateWord state={mate.state} /> },
  };
  return columnKeys.map((column) => ({ ...column, ...about[column.key] }));
}
