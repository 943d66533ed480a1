import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './bulk-bar.module.css';
import type { SelectionControl } from './use-selection.ts';

interface BulkBarProps {
  selection: SelectionControl;
  allMatching: boolean;
  total: number;
  /** What can be done with the chosen rows. */
  actions: ReactNode;
}

/** Says exactly how many rows an action would touch, and offers everything that matches once the page is chosen. */
export function BulkBar({ selection, allMatching, total, actions }: BulkBarProps) {
  const { t } = useTranslation('desk');
  if (selection.count === 0) return null;
  return (
    <div className={classes['bar']} role="group" aria-label={t('table.bulk')}>
      <span className={classes['count']}>{t('table.selected', { count: selection.count })}</span>
      {selection.all && !allMatching && total > selection.count ? (
        <button type="button" className={classes['text']} onClick={selection.selectMatching}>
          {t('table.selectMatching', { count: total })}
        </button>
      ) : null}
      <span className={classes['actions']}>{actions}</span>
      <button type="button" className={classes['text']} onClick={selection.clear}>
        {t('table.clearSelection')}
      </button>
    </div>
  );
}
