import type { MouseEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { leadToWhatComes } from '../../lead-to-what-comes.ts';
import { DeskButton } from '../button/button.tsx';
import { NothingYet } from '../states/states.tsx';
import classes from './data-table.module.css';
import { roles } from './roles.ts';

/** One cell over the whole width: the table keeps its header, so that nothing jumps when the rows come. */
export function InsteadOfRows({ width, children }: { width: number; children: ReactNode }) {
  return (
    <tbody {...roles.rows}>
      <tr {...roles.row} data-grid-row="">
        <td {...roles.cell} data-grid-cell colSpan={width} className={classes['instead']}>
          {children}
        </td>
      </tr>
    </tbody>
  );
}

/** Rows of grey bars, as high as the rows that come. */
export function SkeletonRows({ columns, checks, rows }: { columns: number; checks: boolean; rows: number }) {
  return (
    <tbody aria-hidden data-loading-state="" className={classes['skeleton']}>
      {Array.from({ length: rows }, (_, row) => (
        <tr key={row}>
          {checks ? (
            <td aria-hidden className={classes['check']}>
              <span className={classes['bone']} data-square />
            </td>
          ) : null}
          {Array.from({ length: columns }, (_, column) => (
            <td key={column} aria-hidden>
              <span className={classes['bone']} style={{ width: `${48 + ((row * 3 + column * 5) % 5) * 11}%` }} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

interface PastEndProps {
  lastPage: number;
  onPage: (page: number) => void;
}

/** Instead of the rows of a page that is past the end: there are rows, and the ways to them. */
export function PastEnd({ lastPage, onPage }: PastEndProps) {
  const { t } = useTranslation('desk');
  const go = (page: number) => (event: MouseEvent<HTMLButtonElement>) => {
    leadToWhatComes(event.currentTarget);
    onPage(page);
  };
  return (
    <NothingYet
      title={t('pager.gone')}
      action={
        <>
          <DeskButton variant="primary" onClick={go(lastPage)}>
            {t('pager.toLast')}
          </DeskButton>{' '}
          {lastPage > 1 ? <DeskButton onClick={go(1)}>{t('pager.toFirst')}</DeskButton> : null}
        </>
      }
    >
      {t('pager.goneHelp')}
    </NothingYet>
  );
}
