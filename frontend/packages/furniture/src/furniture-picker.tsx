import { Button, TextInput } from '@mantine/core';
import type { Furniture, FurnitureCatalogue, FurnitureCategory, SelectedFurniture } from '@portage/api';
import { QueryState } from '@portage/frame';
import { formatNumber, useLanguage } from '@portage/i18n';
import { leadToWhatComes } from '@portage/kit';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { catalogueQuery } from './catalogue-query.ts';
import { categories, isOwn, totals, usualFirst, withAssembly, withQuantity } from './catalogue.ts';
import { Drawing } from './drawing.tsx';
import classes from './furniture-picker.module.css';
import { HomeRooms } from './home-rooms.tsx';
import { ItemCard } from './item-card.tsx';
import { OwnItems } from './own-items.tsx';
import { type Rooms, untouched } from './rooms.ts';
import { FurnitureSearch } from './search.ts';

export interface FurniturePickerProps {
  id: string;
  error: string | undefined;
  selected: SelectedFurniture[];
  /** The next selection, made of the newest one: two presses may come before a render. */
  onChange: (change: (selected: SelectedFurniture[]) => SelectedFurniture[]) => void;
  rooms: Rooms;
  onRooms: (rooms: Rooms) => void;
  /** What the pieces are that no list has, in the person's words. */
  ownItems: string;
  onOwnItems: (words: string) => void;
  /** Pieces are taken apart in this kind of move, so that each may be asked about. */
  assembly: boolean;
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

/** About 160 pieces as they look: rooms that propose a list, a search by everyday words, groups, and one's own pieces. */
export function FurniturePicker(props: FurniturePickerProps) {
  const catalogue = useQuery(catalogueQuery);
  return (
    <QueryState query={catalogue} rows={6} height={44}>
      {(known) => <Picker catalogue={known} {...props} />}
    </QueryState>
  );
}

function Picker({
  catalogue,
  id,
  error,
  selected,
  onChange,
  rooms,
  onRooms,
  ownItems,
  onOwnItems,
  assembly,
}: FurniturePickerProps & { catalogue: FurnitureCatalogue }) {
  const { t } = useTranslation(['furniture', 'common', 'domain']);
  const language = useLanguage();
  const gridId = useId();
  const [query, setQuery] = useState('');
  const [view, setView] = useState<View>('living-room');
  const [whole, setWhole] = useState(false);

  const { data: items } = catalogue;
  const [unfolded, setUnfolded] = useState(false);
  const search = useMemo(() => new FurnitureSearch(items), [items]);
  const counts = new Map(selected.map((item) => [item.id, item.quantity]));
  const sum = totals(selected, items);
  const searching = query.trim() !== '';
  const chosenOnly = !searching && view === 'chosen' && sum.count > 0;
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
  /** The button is gone with it: what it brings takes the focus, once it is drawn. */
  const unfold = () => {
    setUnfolded(true);
    requestAnimationFrame(() => groups.current?.focus());
  };
  const inGroup = (category: FurnitureCategory) =>
    items.reduce(
      (count, item) => count + (item.category === category && !isOwn(item.id) ? (counts.get(item.id) ?? 0) : 0),
      0,
    );

  // on a small screen the rooms and the search come first; a typical list as it came needs no second look there
  const folded = !searching && !unfolded && !error && untouched(selected, rooms, catalogue);

  return (
    <div className={classes['root']} data-folded={folded || undefined}>
      <HomeRooms catalogue={catalogue} rooms={rooms} onRooms={onRooms} selected={selected} onChange={onChange} />
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
      <Button className={classes['unfold'] ?? ''} variant="default" fullWidth onClick={unfold}>
        {sum.count > 0 ? t('items.change', { n: sum.count }) : t('items.browse')}
      </Button>
      <div
        ref={groups}
        tabIndex={-1}
        role="group"
        aria-label={t('groups.title')}
        className={`${classes['groups']} ${classes['foldable']}`}
      >
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
      <div className={classes['totals']}>
        <div role="status" className={classes['sums']}>
          <strong>{t('domain:count.items', { count: sum.count })}</strong>
          <span>
            {t('domain:furniture.cubicFeet', { volume: formatNumber((sum.tenths / 10).toFixed(1), language) })}
          </span>
          <span title={t('items.bigHelp')}>{t('items.big', { count: sum.big })}</span>
          <span title={t('items.smallHelp')}>{t('items.small', { count: sum.small })}</span>
        </div>
        <Button
          size="sm"
          variant="default"
          aria-pressed={chosenOnly}
          aria-controls={gridId}
          disabled={sum.count === 0}
          onClick={() => {
            setUnfolded(true);
            show(chosenOnly ? 'living-room' : 'chosen');
          }}
        >
          {chosenOnly ? t('items.showAll') : t('items.chosenOnly')}
        </Button>
      </div>
      <div
        className={classes['foldable']}
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
          <ul className={classes['grid']} data-short={short || undefined}>
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
    </div>
  );
}
