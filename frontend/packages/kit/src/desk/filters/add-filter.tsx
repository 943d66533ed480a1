import { Popover } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type KeyboardEvent, type Ref, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { DeskButton } from '../button/button.tsx';
import { popover } from '../button/popover.ts';
import type { Day } from '../dates/days.ts';
import { Editor } from './editors.tsx';
import classes from './filter-bar.module.css';
import type { Filter, FilterValue, FilterValues } from './filters.ts';

interface AddFilterProps {
  /** Filters that can be added. */
  filters: readonly Filter[];
  values: FilterValues;
  today: Day;
  onChange: (key: string, value: FilterValue | null) => void;
  ref: Ref<HTMLButtonElement>;
}

function onListKey(event: KeyboardEvent<HTMLDivElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const items = [...event.currentTarget.querySelectorAll('button')];
  const at = items.indexOf(document.activeElement as HTMLButtonElement);
  items[(at + step + items.length) % items.length]?.focus();
}

/** Button that opens the list of filters, and then the editor of the chosen one. */
export function AddFilter({ filters, values, today, onChange, ref }: AddFilterProps) {
  const { t } = useTranslation('desk');
  const [opened, setOpened] = useState(false);
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  // by its key: its options may come while it is open
  const chosen = filters.find(({ key }) => key === chosenKey) ?? null;
  const offered = filters.filter((filter) => !values[filter.key]);
  const open = (now: boolean) => {
    setOpened(now);
    if (now) setChosenKey(null);
  };
  if (offered.length === 0 && !opened) return null;
  return (
    <Popover opened={opened} onChange={open} position="bottom-start" {...popover(classes['dropdown'])}>
      <Popover.Target>
        <DeskButton
          ref={ref}
          variant="quiet"
          icon={<IconPlus size={16} stroke={2} aria-hidden />}
          onClick={() => open(!opened)}
        >
          {t('filters.add')}
        </DeskButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={chosen?.label ?? t('filters.add')} data-kind={chosen?.kind ?? 'list'}>
        {chosen ? (
          // a key: the focus goes to the editor as it did to the list
          <div key={chosen.key} ref={(node) => focusFirst(node)}>
            <Editor
              filter={chosen}
              value={values[chosen.key]}
              today={today}
              onChange={(value) => onChange(chosen.key, value)}
              onDone={() => open(false)}
            />
          </div>
        ) : (
          // the buttons in it have the keys of buttons; arrows are an addition
          // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
          <div className={classes['list']} onKeyDown={onListKey}>
            {offered.map((filter) => (
              <button
                key={filter.key}
                type="button"
                className={classes['item']}
                onClick={() => setChosenKey(filter.key)}
              >
                {filter.label}
              </button>
            ))}
          </div>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function focusFirst(node: HTMLElement | null): void {
  if (!node || node.contains(document.activeElement)) return;
  const target =
    node.querySelector<HTMLElement>('[data-autofocus]') ?? node.querySelector<HTMLElement>('button, input');
  target?.focus();
}
