import { Popover } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { popover } from '../button/popover.ts';
import type { Day } from '../dates/days.ts';
import { Editor } from './editors.tsx';
import classes from './filter-bar.module.css';
import type { Filter, FilterValue } from './filters.ts';

interface FilterChipProps {
  filter: Filter;
  value: FilterValue;
  /** The value in words. */
  text: string;
  today: Day;
  onChange: (value: FilterValue | null) => void;
  onRemove: () => void;
}

/** A filter that is set: a press changes it, the cross takes it away. */
export function FilterChip({ filter, value, text, today, onChange, onRemove }: FilterChipProps) {
  const { t } = useTranslation('desk');
  const [opened, setOpened] = useState(false);
  return (
    <li className={classes['chip']}>
      <Popover opened={opened} onChange={setOpened} position="bottom-start" {...popover(classes['dropdown'])}>
        <Popover.Target>
          <button
            type="button"
            className={classes['set']}
            onClick={() => setOpened((now) => !now)}
            // Delete on the chip does what its cross does
            onKeyDown={(event) => {
              if (event.key === 'Delete' || event.key === 'Backspace') onRemove();
            }}
          >
            <span className={classes['label']}>{t('filters.chipLabel', { filter: filter.label })}</span>{' '}
            <span className={classes['text']}>{text}</span>
          </button>
        </Popover.Target>
        <Popover.Dropdown aria-label={filter.label} data-kind={filter.kind}>
          <Editor filter={filter} value={value} today={today} onChange={onChange} onDone={() => setOpened(false)} />
        </Popover.Dropdown>
      </Popover>
      <button
        type="button"
        className={classes['cross']}
        data-chip-remove={filter.key}
        aria-label={t('filters.remove', { filter: filter.label, value: text })}
        onClick={onRemove}
      >
        <IconX size={14} stroke={2} aria-hidden />
      </button>
    </li>
  );
}
