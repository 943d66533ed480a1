import { Tabs as Frame } from '@mantine/core';
import { formatNumber, useLanguage } from '@portage/i18n';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './tabs.module.css';

export interface Tab<Key extends string = string> {
  key: Key;
  label: string;
  /** How many wait there. */
  count?: number;
  /** Somebody has to act on them: the only thing that carries colour. */
  urgent?: boolean;
}

interface TabsProps<Key extends string> {
  /** What the tabs choose between. */
  label: string;
  tabs: readonly Tab<Key>[];
  /** The address says which; an unknown one shows the first. */
  value: string | null | undefined;
  onChange: (key: Key) => void;
  children: (key: Key) => ReactNode;
  /** Arrows only move, Enter or Space opens: for panels that are slow to come. */
  manual?: boolean;
}

/** Answers the key of the tab that `value` names, or of the first tab when it names none. */
export function tabOf<Key extends string>(tabs: readonly Tab<Key>[], value: unknown): Key | undefined {
  return (tabs.find((tab) => tab.key === value) ?? tabs[0])?.key;
}

/** Tabs after the WAI-ARIA pattern: one tab stop, arrows, Home and End. Only the panel that is shown exists. */
export function Tabs<Key extends string>({ label, tabs, value, onChange, children, manual = false }: TabsProps<Key>) {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  const list = useRef<HTMLDivElement>(null);
  const chosen = tabOf(tabs, value);

  useEffect(() => {
    // on a phone the list scrolls: the chosen tab is brought into sight, the page stays where it is
    const frame = list.current;
    const tab = frame?.querySelector<HTMLElement>('[aria-selected="true"]');
    if (frame && tab) frame.scrollLeft = tab.offsetLeft - (frame.clientWidth - tab.clientWidth) / 2;
  }, [chosen, language]);

  if (chosen === undefined) return null;
  return (
    <Frame
      value={chosen}
      onChange={(key) => {
        const tab = tabs.find((one) => one.key === key);
        if (tab && tab.key !== chosen) onChange(tab.key);
      }}
      activateTabWithKeyboard={!manual}
      keepMounted={false}
      variant="none"
    >
      <Frame.List
        ref={list}
        aria-label={label}
        className={classes['list'] ?? ''}
        onKeyUp={(event) => {
          // the library opens with the arrows, but with Home and End it only moves, and lets no one hear them go down
          const tab = document.activeElement;
          if (!manual && (event.key === 'Home' || event.key === 'End') && tab instanceof HTMLElement) tab.click();
        }}
      >
        {tabs.map((tab) => (
          <Frame.Tab key={tab.key} value={tab.key} className={classes['tab'] ?? ''}>
            <span className={classes['label']}>{tab.label}</span>
            {tab.count === undefined ? null : (
              <>
                <span
                  className={classes['count']}
                  data-urgent={tab.urgent && tab.count > 0 ? true : undefined}
                  aria-hidden
                >
                  {formatNumber(tab.count, language)}
                </span>
                {/* the space parts the words where they are read out */}{' '}
                <span className={classes['spoken']}>{t('tabs.count', { count: tab.count })}</span>
              </>
            )}
          </Frame.Tab>
        ))}
      </Frame.List>
      <Frame.Panel value={chosen} tabIndex={0} className={classes['panel'] ?? ''}>
        {children(chosen)}
      </Frame.Panel>
    </Frame>
  );
}
