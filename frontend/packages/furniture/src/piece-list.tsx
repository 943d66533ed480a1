import { Button, TextInput } from '@mantine/core';
import type { Furniture, FurnitureCatalogue, FurnitureCategory, SelectedFurniture } from '@portage/api';
import { formatNumber, useLanguage } from '@portage/i18n';
import { leadToWhatComes } from '@portage/kit';
import { IconSearch } from '@tabler/icons-react';
import { type RefObject, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { categories, isOwn, usualFirst, withAssembly, withQuantity } from './catalogue.ts';
import { Drawing } from './drawing.tsx';
import classes from './furniture-picker.module.css';
import { ItemCard } from './item-card.tsx';
import { OwnItems } from './own-items.tsx';
import { FurnitureSearch } from './search.ts';
import { Sums } from './sums.tsx';

interface PieceListProps {
  catalogue: FurnitureCatalogue;
  /** The id of the search. */
  id: string;
  error?: string | undefined;
  selected: SelectedFurniture[];
  /** The next selection, made of the newest one: two presses may come before a render. */
  onChange: (change: (selected: SelectedFurniture[]) => SelectedFurniture[]) => void;
  /** What the pieces are that no list has, in the person's words. */
  ownItems: string;
  onOwnItems: (words: string) => void;
  /** Pieces are taken apart in this kind of move, so that each may be asked about. */
  assembly: boolean;
  /** Over a telephone's whole window: a row a piece, and at first what is chosen. */
  sheet?: boolean;
}

/** What can be looked at: a group, or what is chosen of all of them. */
type View = FurnitureCategory | 'chosen';

/** So many pieces of a group are shown before somebody asks for all of them. */
const usual = 9;
const mostFound = 24;

/**
 * Where only what is chosen is shown, a card goes with its last piece: the button that adds on the next card takes the
 * focus, never one that takes away, because a key that is held down would empty the list. Behind the last one come the
 * groups.
 */
function leadFrom(grid: HTMLElement | null, item: string, groups: RefObject<HTMLElement | null>): void {
  const card = [...(grid?.querySelectorAll<HTMLElement>('[data-id]') ?? [])].find(
    ({ dataset }) => dataset['id'] === item,
  );
  const next = card?.nextElementSibling ?? card?.previousElementSibling;
  requestAnimationFrame(() => {
    if (!card || card.isConnected || document.activeElement !== document.body) return;
    const more = next?.querySelector<HTMLElement>('[role="group"] > button:last-of-type');
    (more?.isConnected ? more : groups.current)?.focus();
  });
}

/** All pieces: a search by everyday words, groups, what is chosen, and one's own pieces. */
export function PieceList({
  catalogue,
  id,
  error,
  selected,
  onChange,
  ownItems,
  onOwnItems,
  assembly,
  sheet = false,
}: PieceListProps) {
  const { t } = useTranslation(['furniture', 'common', 'domain']);
  const language = useLanguage();
  const gridId = useId();
  const [query, setQuery] = useState('');
  const [view, setView] = useState<View>(sheet ? 'chosen' : 'living-room');
  const [whole, setWhole] = useState(false);

  const { data: items } = catalogue;
  const search = useMemo(() => new FurnitureSearch(items), [items]);
  const counts = new Map(selected.map((item) => [item.id, item.quantity]));
  const some = selected.some(({ quantity }) => quantity > 0);
  const searching = query.trim() !== '';
  const chosenOnly = !searching && view === 'chosen' && some;
  const group: View = view === 'chosen' && !chosenOnly ? 'living-room' : view;

  const found = searching
    ? search.find(query, language).filter((item) => !isOwn(item.id))
    : chosenOnly
      ? items.filter((item) => counts.has(item.id))
      : usualFirst(
          items.filter((item) => item.category === group && !isOwn(item.id)),
          catalogue,
        );
  const short = !searching && !chosenOnly && !whole && found.length > usual;
  const shown = searching ? found.slice(0, mostFound) : short ? found.slice(0, usual) : found;

  // the cards stay as they are while others change
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  const groups = useRef<HTMLDivElement>(null);
  const setCount = useCallback(
    (item: string, quantity: number) => {
      if (quantity <= 0) leadFrom(document.getElementById(gridId), item, groups);
      latest.current((now) => withQuantity(now, item, quantity));
    },
    [gridId],
  );
  const setAssembly = useCallback(
    (item: string, apart: boolean) =>
      latest.current((now) =>
        withAssembly(
          now,
          item,
          apart,
          items.some(({ id: known, needsAssembly }) => known === item && needsAssembly),
        ),
      ),
    [items],
  );
  const said = new Map(selected.map((item) => [item.id, item.assembly]));
  /** Asked of what is usually taken apart. */
  const apart = (item: Furniture) => (assembly && item.needsAssembly ? (said.get(item.id) ?? true) : null);
  const show = (next: View) => {
    setQuery('');
    setView(next);
    setWhole(false);
  };
  const inGroup = (category: FurnitureCategory) =>
    items.reduce(
      (count, item) => count + (item.category === category && !isOwn(item.id) ? (counts.get(item.id) ?? 0) : 0),
      0,
    );

  // on a telephone what is looked for stands right below the search
  const grouped = !sheet || (!searching && !chosenOnly);

  return (
    <>
      <TextInput
        id={id}
        label={t('items.search')}
        type="search"
        value={query}
        error={error}
        autoComplete="off"
        aria-controls={gridId}
        leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
        onChange={(event) => {
          // on a telephone what is found would lie under the keyboard and the bar
          if (!searching && matchMedia('(max-width: 47.99em)').matches)
            event.currentTarget.scrollIntoView({ block: 'start' });
          setQuery(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          // no form is sent by looking for something
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      {grouped ? (
        <div ref={groups} tabIndex={-1} role="group" aria-label={t('groups.title')} className={classes['groups']}>
          {categories.map(({ id: category, drawing }) => {
            const count = inGroup(category);
            return (
              <button
                key={category}
                type="button"
                className={classes['groupButton']}
                aria-pressed={!searching && group === category}
                aria-controls={gridId}
                onClick={() => show(category)}
              >
                <Drawing id={drawing} />
                <span>{t(`category.${category}`)}</span>
                {count > 0 ? (
                  <>
                    <span className={classes['badge']} aria-hidden>
                      {formatNumber(String(count), language)}
                    </span>{' '}
                    <span className={classes['hidden']}>{t('domain:count.items', { count })}</span>
                  </>
                ) : null}
              </button>
            );
          })}
        </div>
      ) : null}
      <div className={classes['totals']}>
        <Sums selected={selected} items={items} />
        <Button
          size="sm"
          variant="default"
          aria-pressed={chosenOnly}
          aria-controls={gridId}
          disabled={!some}
          onClick={() => show(chosenOnly ? 'living-room' : 'chosen')}
        >
          {chosenOnly ? t('items.showAll') : t('items.chosenOnly')}
        </Button>
      </div>
      <div
        id={gridId}
        role="region"
        aria-label={
          searching
            ? t('items.found', { query: query.trim() })
            : chosenOnly
              ? t('items.chosenOnly')
              : t(`category.${group as FurnitureCategory}`)
        }
      >
        {found.length === 0 ? (
          <p className="pg-muted" role="status">
            {t('items.none', { query: query.trim() })}
          </p>
        ) : (
          <ul className={classes['grid']} data-short={short || undefined} data-chosen-only={chosenOnly || undefined}>
            {shown.map((item) => (
              <ItemCard
                key={item.id}
                item={item}
                count={counts.get(item.id) ?? 0}
                setCount={setCount}
                assembly={apart(item)}
                setAssembly={setAssembly}
              />
            ))}
          </ul>
        )}
        {short ? (
          <Button
            variant="default"
            fullWidth
            mt={10}
            onClick={(event) => {
              leadToWhatComes(event.currentTarget);
              setWhole(true);
            }}
          >
            {t('items.more', { n: found.length, group: t(`category.${group as FurnitureCategory}`) })}
          </Button>
        ) : null}
      </div>
      <OwnItems
        items={items}
        counts={counts}
        setCount={setCount}
        opened={searching && found.length === 0}
        words={ownItems}
        onWords={onOwnItems}
      />
    </>
  );
}
