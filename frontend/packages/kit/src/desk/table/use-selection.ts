import { useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { announce } from '../../announce.tsx';
import { countSelected, isSelected, nothingSelected, rowsBetween, type Selection, selectRows } from './selection.ts';

export interface SelectionProps {
  value: Selection;
  onChange: (selection: Selection) => void;
}

/** What presses and keys do to the selection of the rows on this page. */
export function useSelection(props: SelectionProps | undefined, page: readonly string[], total: number) {
  const { t } = useTranslation('desk');
  /** The row that was pressed last; a range begins there. */
  const anchor = useRef<string | null>(null);
  if (!props) return null;
  const { value } = props;

  const change = (next: Selection) => {
    props.onChange(next);
    announce(t('table.selected', { count: countSelected(next, total) }));
  };
  const toggle = (key: string, ranged: boolean, on = !isSelected(value, key)) => {
    change(selectRows(value, ranged ? rowsBetween(page, anchor.current, key) : [key], on, page));
    anchor.current = key;
  };
  const extend = (from: string, to: string) => {
    if (anchor.current === null || !page.includes(anchor.current)) anchor.current = from;
    const distance = (key: string) => Math.abs(page.indexOf(key) - page.indexOf(anchor.current ?? from));
    // going back to where it began leaves the row that is passed
    if (distance(to) < distance(from)) change(selectRows(value, [from], false, page));
    else change(selectRows(value, rowsBetween(page, anchor.current, to), true, page));
  };
  const chosenHere = page.filter((key) => isSelected(value, key)).length;
  return {
    count: countSelected(value, total),
    all: page.length > 0 && chosenHere === page.length,
    some: chosenHere > 0,
    isSelected: (key: string) => isSelected(value, key),
    toggle,
    extend,
    selectPage: (on: boolean) => change(selectRows(value, page, on, page)),
    selectMatching: () => change({ keys: new Set(), allMatching: true }),
    clear: () => change(nothingSelected),
  };
}

export type SelectionControl = NonNullable<ReturnType<typeof useSelection>>;
