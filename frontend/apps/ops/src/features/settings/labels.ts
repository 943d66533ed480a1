import { provinceOf } from '@portage/api';
import { useProvinceChoices } from '@portage/domain';
import { useTranslation } from 'react-i18next';

import { useHubName } from '../../shell/hubs.ts';
import type { Field, Key, Leaf } from './fields.ts';

/** What a value is called and what it does; registration numbers are called as those of a mate are. */
export function useWords() {
  const { t } = useTranslation(['settings', 'catalogue']);
  const label = (key: Key): string => {
    if (key === 'gstNumber') return t('catalogue:number.tps');
    if (key === 'qstNumber') return t('catalogue:number.tvq');
    return key === 'neq' ? t('catalogue:number.neq') : t(`label.${key}`);
  };
  const help = (key: Key): string => {
    if (key === 'gstNumber') return t('catalogue:number.tps.help');
    if (key === 'qstNumber') return t('catalogue:number.tvq.help');
    return key === 'neq' ? t('catalogue:number.neq.help') : t(`help.${key}`);
  };
  return { label, help };
}

/** The name of a province; one that we have no name for stands by its letters. */
export function useProvinceName(): (code: string) => string {
  const choices = useProvinceChoices();
  return (code) => choices.find(({ value }) => value === provinceOf(code))?.label ?? code;
}

/** The names of all inputs by their paths, for the list of what is wrong: there they stand alone. */
export function useLabels(fields: readonly Field[]): Record<string, string> {
  const { t } = useTranslation(['settings', 'catalogue']);
  const { label } = useWords();
  const hubName = useHubName();
  const provinceName = useProvinceName();
  const nameOf = ({ path, key }: Leaf, field: Field): string => {
    const [, row = ''] = path.split('.');
    if (field.name === 'replyTo') return t('catalogue:rows.of', { field: label(key), row: hubName(row) });
    return field.name === 'provinces'
      ? t('catalogue:rows.of', { field: label(key), row: provinceName(row) })
      : label(key);
  };
  return Object.fromEntries(fields.flatMap((field) => field.leaves.map((leaf) => [leaf.path, nameOf(leaf, field)])));
}
