import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';

import classes from './choice-menu.module.css';
import { useDismiss } from './use-dismiss.ts';

export interface MenuChoice<T extends string> {
  value: T;
  label: ReactNode;
  /** Language of the label, when it differs from the page's. */
  lang?: string;
}

interface ChoiceMenuProps<T extends string> {
  /** Name of the button, with the present value. */
  label: string;
  icon: ReactNode;
  shown: string;
  value: T;
  choices: MenuChoice<T>[];
  onChoose: (value: T) => void;
  className?: string;
}

/** A button with a short list of exclusive choices above it. Arrow keys move, Escape returns to the button. */
export function ChoiceMenu<T extends string>({
  label,
  icon,
  shown,
  value,
  choices,
  onChoose,
  className,
}: ChoiceMenuProps<T>) {
  const [opened, setOpened] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const close = useCallback(() => setOpened(false), []);
  useDismiss(opened, root, close);

  useEffect(() => {
    if (opened) list.current?.querySelector<HTMLElement>('[aria-checked="true"]')?.focus();
  }, [opened]);

  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...(list.current?.querySelectorAll<HTMLElement>('[role]') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Tab') close();
    if (step === undefined) return;
    event.preventDefault();
    items[(at + step + items.length) % items.length]?.focus();
  };

  return (
    <div ref={root} className={classes['root']}>
      <Button
        variant="subtle"
        color="gray"
        className={className ?? ''}
        leftSection={icon}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={opened}
        onClick={() => setOpened((now) => !now)}
      >
        {shown}
      </Button>
      {opened ? (
        <div ref={list} role="menu" tabIndex={-1} aria-label={label} className={classes['list']} onKeyDown={onKeyDown}>
          {choices.map((choice) => (
            <button
              key={choice.value}
              type="button"
              role="menuitemradio"
              aria-checked={choice.value === value}
              tabIndex={-1}
              lang={choice.lang}
              className={classes['item']}
              onClick={() => {
                close();
                root.current?.querySelector('button')?.focus();
                onChoose(choice.value);
              }}
            >
              <span>{choice.label}</span>
              {choice.value === value ? <IconCheck size={18} stroke={2} aria-hidden /> : null}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  );
}
