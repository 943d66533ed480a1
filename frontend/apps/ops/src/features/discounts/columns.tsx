import type { DiscountCode } from '@portage/api';
import type { Column } from '@portage/kit/desk/table';
import { useTranslation } from 'react-i18next';

import { StateWord } from '../../shell/catalogue/state-word.tsx';
import { useDiscountWords } from './words.ts';

export const columnKeys = [
  { key: 'code', main: true },
  { key: 'off' },
  { key: 'move' },
  { key: 'booking' },
  { key: 'uses', numeric: true },
  { key: 'state' },
] as const;

export function useDiscountColumns(): Column<DiscountCode>[] {
  const { t } = useTranslation(['discounts', 'shell']);
  const words = useDiscountWords();
  const about: Record<(typeof columnKeys)[number]['key'], Omit<Column<DiscountCode>, 'key'>> = {
    code: { title: t('col.code'), cell: (row) => row.code },
    off: { title: t('col.off'), cell: words.off },
    move: { title: t('col.move'), cell: words.move },
    booking: { title: t('col.booking'), cell: words.booking },
    uses: { title: t('col.uses'), cell: words.uses },
    state: { title: t('shell:col.state'), cell: (row) => <StateWord state={row.state} /> },
  };
  return columnKeys.map((column) => ({ ...column, ...about[column.key] }));
}
