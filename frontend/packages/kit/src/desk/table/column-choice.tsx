import { Popover } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';

import { DeskButton } from '../button/button.tsx';
import { CheckBox } from '../button/check-box.tsx';
import { popover } from '../button/popover.ts';
import classes from './column-choice.module.css';
import type { Column } from './columns.ts';
import type { TableState } from './table-state.ts';

interface ColumnChoiceProps<Row> {
  columns: readonly Column<Row>[];
  main: string | undefined;
  state: TableState;
  first: readonly string[];
  onChange: (change: Partial<TableState>) => void;
}

/** Which columns are shown and how high the rows are. */
export function ColumnChoice<Row>({ columns, main, state, first, onChange }: ColumnChoiceProps<Row>) {
  const { t } = useTranslation('desk');
  const id = useId();
  const show = (key: string, on: boolean) =>
    onChange({
      columns: columns.map((column) => column.key).filter((one) => (one === key ? on : state.columns.includes(one))),
    });
  return (
    <Popover position="bottom-end" {...popover()}>
      <Popover.Target>
        <DeskButton variant="quiet" icon={<IconAdjustmentsHorizontal size={18} stroke={1.75} aria-hidden />}>
          <span className={classes['view']}>{t('table.view')}</span>
        </DeskButton>
      </Popover.Target>
      <Popover.Dropdown>
        <fieldset>
          <legend className={classes['legend']}>{t('table.columns')}</legend>
          <div className={classes['list']}>
            {columns.map((column) => (
              <CheckBox
                key={column.key}
                label={column.key === main ? t('table.alwaysShown', { column: column.title }) : column.title}
                labelShown
                checked={state.columns.includes(column.key) || column.key === main}
                disabled={column.key === main}
                onChange={(on) => show(column.key, on)}
              />
            ))}
          </div>
        </fieldset>
        <fieldset className={classes['rows']}>
          <legend className={classes['legend']}>{t('table.rowHeight')}</legend>
          <div className={classes['choices']}>
            {(['dense', 'roomy'] as const).map((rows) => (
              <label key={rows} className={classes['choice']}>
                <input type="radio" name={id} checked={state.rows === rows} onChange={() => onChange({ rows })} />
                {t(rows === 'dense' ? 'table.dense' : 'table.roomy')}
              </label>
            ))}
          </div>
        </fieldset>
        <DeskButton
          variant="quiet"
          className={classes['reset']}
          disabled={state.columns.join() === first.join() && state.rows === 'dense'}
          onClick={() => onChange({ columns: first, rows: 'dense' })}
        >
          {t('table.resetView')}
        </DeskButton>
      </Popover.Dropdown>
    </Popover>
  );
}
