import { Modal } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './command-palette.module.css';
import { type Command, type CommandGroup, findCommands, type FoundCommand, withRecent } from './commands.ts';
import { HighlightedText } from './highlighted-text.tsx';

interface CommandPaletteProps {
  opened: boolean;
  onClose: () => void;
  /** What was typed before the field had the focus: it begins with that. */
  typedEarly?: string;
  groups: readonly CommandGroup[];
  /** Ids of what was run last, the newest first. */
  recent?: readonly string[];
  onRan?: (id: string) => void;
  /** Tells what is typed, for what only the server can find; its answer comes back as a group that is `matched`. */
  onQuery?: (query: string) => void;
  /** The server is still looking. */
  searching?: boolean;
}

/** Dialog that finds pages and commands by a few letters of their names. */
export function CommandPalette({ opened, onClose, ...list }: CommandPaletteProps) {
  const { t } = useTranslation('desk');
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      radius="lg"
      size={620}
      yOffset="12vh"
      transitionProps={{ transition: 'fade', duration: 120 }}
      // by part: a class of the content would also reach the frame around it
      classNames={{ overlay: classes['overlay'] ?? '', content: classes['content'] ?? '' }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={t('palette.label')}>
        <PaletteList onClose={onClose} {...list} />
      </Modal.Content>
    </Modal.Root>
  );
}

function PaletteList({
  onClose,
  typedEarly = '',
  groups,
  recent = [],
  onRan,
  onQuery,
  searching = false,
}: Omit<CommandPaletteProps, 'opened'>) {
  const { t } = useTranslation(['desk', 'common']);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState(typedEarly);
  const [taken, setTaken] = useState(typedEarly);
  if (taken !== typedEarly) {
    setTaken(typedEarly);
    setQuery(typedEarly);
  }
  const tell = useEffectEvent((early: string) => onQuery?.(early));
  useEffect(() => {
    if (typedEarly !== '') tell(typedEarly);
  }, [typedEarly]);
  const [active, setActive] = useState(0);
  const asked = query.trim() !== '';
  const found = findCommands(asked ? groups : withRecent(groups, recent, t('palette.recent')), query);
  const flat = found.flatMap((group) => group.found);
  const at = Math.min(active, flat.length - 1);
  const optionId = (index: number) => `${id}-option-${index}`;

  useEffect(() => {
    const option = list.current?.querySelector(`[data-index="${at}"]`);
    // the first one takes the name of its group along
    if (at === 0) list.current?.scrollTo?.({ top: 0 });
    else option?.scrollIntoView({ block: 'nearest' });
  }, [at, query]);

  const run = ({ command }: FoundCommand) => {
    if (command.disabledReason) return;
    onClose();
    onRan?.(command.id);
    command.onRun();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // while an input method composes a word, its keys choose characters
    if (event.nativeEvent.isComposing || flat.length === 0) return;
    const last = flat.length - 1;
    const next = { ArrowDown: at === last ? 0 : at + 1, ArrowUp: at === 0 ? last : at - 1 }[event.key];
    const page = { PageDown: Math.min(last, at + 8), PageUp: Math.max(0, at - 8) }[event.key];
    if (event.key === 'Enter') {
      event.preventDefault();
      const chosen = flat[at];
      if (chosen) run(chosen);
    } else if (next !== undefined || page !== undefined) {
      event.preventDefault();
      setActive(next ?? page ?? 0);
    }
  };

  return (
    <>
      <div className={classes['top']}>
        <IconSearch size={20} stroke={1.75} aria-hidden />
        <input
          className={classes['input']}
          role="combobox"
          aria-label={t('palette.label')}
          aria-expanded
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={at >= 0 ? optionId(at) : undefined}
          placeholder={t('palette.placeholder')}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          value={query}
          // more is typed behind what is there
          onFocus={({ currentTarget }) => currentTarget.setSelectionRange(query.length, query.length)}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            setActive(0);
            onQuery?.(event.currentTarget.value);
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" className={classes['escape']} onClick={onClose} aria-label={t('common:action.close')}>
          Esc
        </button>
      </div>
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={t('palette.results')}
        aria-busy={searching}
        className={classes['list']}
      >
        {found.map((group, place) => (
          <div key={group.key} role="group" aria-labelledby={`${id}-${group.key}`}>
            <div id={`${id}-${group.key}`} role="presentation" className={classes['group']}>
              {group.label}
            </div>
            {group.found.map((one, inGroup) => {
              const index = found.slice(0, place).reduce((sum, before) => sum + before.found.length, inGroup);
              return (
                <Option
                  key={one.command.id}
                  id={optionId(index)}
                  index={index}
                  found={one}
                  active={index === at}
                  onActive={setActive}
                  onRun={() => run(one)}
                />
              );
            })}
          </div>
        ))}
      </div>
      {flat.length === 0 ? (
        <p className={classes['none']}>
          {searching ? t('palette.searching') : t('palette.none', { query: query.trim() })}
        </p>
      ) : null}
      <div className={classes['foot']}>
        <span role="status">{asked ? t('palette.count', { count: flat.length }) : ''}</span>
        <span className={classes['keys']} aria-hidden>
          <kbd>↑</kbd>
          <kbd>↓</kbd> {t('palette.choose')}
          <kbd>↵</kbd> {t('palette.run')}
        </span>
      </div>
    </>
  );
}

interface OptionProps {
  id: string;
  index: number;
  found: FoundCommand;
  active: boolean;
  onActive: (index: number) => void;
  onRun: () => void;
}

function Option({ id, index, found, active, onActive, onRun }: OptionProps) {
  const { command, places } = found;
  const { label, hint, icon, keys, disabledReason }: Command = command;
  return (
    // the field above has the focus and the keys; the option only takes the pointer
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="option"
      aria-selected={active}
      aria-disabled={disabledReason ? true : undefined}
      data-index={index}
      className={classes['option']}
      onPointerMove={() => (active ? undefined : onActive(index))}
      onClick={onRun}
    >
      <span className={classes['icon']}>{icon}</span>
      <span className={classes['label']}>
        <HighlightedText text={label} places={places} />
      </span>
      {disabledReason || hint ? <span className={classes['hint']}>{disabledReason ?? hint}</span> : null}
      {keys ? (
        <span className={classes['keys']}>
          {keys.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </span>
      ) : null}
    </div>
  );
}
