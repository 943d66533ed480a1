import { Button } from '@mantine/core';
import type { FurnitureCatalogue, SelectedFurniture } from '@portage/api';
import { QueryState } from '@portage/frame';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { catalogueQuery } from './catalogue-query.ts';
import classes from './furniture-picker.module.css';
import { HomeRooms } from './home-rooms.tsx';
import { PieceList } from './piece-list.tsx';
import type { Rooms } from './rooms.ts';
import { Sums } from './sums.tsx';
import { useSmallWindow } from './use-small-window.ts';

// a dialog is no part of the page: it comes with the first press
const Sheet = lazy(async () => ({ default: (await import('./piece-sheet.tsx')).PieceSheet }));

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

/** About 160 pieces as they look: rooms that propose a list, a search by everyday words, groups, and one's own pieces. */
export function FurniturePicker(props: FurniturePickerProps) {
  const catalogue = useQuery(catalogueQuery);
  return (
    <QueryState query={catalogue} rows={6} height={44}>
      {(known) => <Picker catalogue={known} {...props} />}
    </QueryState>
  );
}

type PickerProps = FurniturePickerProps & { catalogue: FurnitureCatalogue };

function Picker(props: PickerProps) {
  const { catalogue, id, error, selected, onChange, rooms, onRooms, ownItems, onOwnItems, assembly } = props;
  const small = useSmallWindow();
  return (
    <div className={classes['root']}>
      <HomeRooms catalogue={catalogue} rooms={rooms} onRooms={onRooms} selected={selected} onChange={onChange} />
      {small ? (
        <Folded {...props} />
      ) : (
        <PieceList
          catalogue={catalogue}
          id={id}
          error={error}
          selected={selected}
          onChange={onChange}
          ownItems={ownItems}
          onOwnItems={onOwnItems}
          assembly={assembly}
        />
      )}
    </div>
  );
}

/** On a telephone: how much is chosen, and the button that opens the list over the page. */
function Folded({ catalogue, id, error, selected, onChange, ownItems, onOwnItems, assembly }: PickerProps) {
  const { t } = useTranslation('furniture');
  const [opened, setOpened] = useState(false);
  const [wanted, setWanted] = useState(false);
  const errorId = `${id}-error`;
  const count = selected.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <div className={classes['folded']}>
      {count > 0 ? <Sums selected={selected} items={catalogue.data} /> : null}
      <Button
        id={id}
        variant="default"
        fullWidth
        aria-haspopup="dialog"
        aria-describedby={error ? errorId : undefined}
        leftSection={count > 0 ? null : <IconSearch size={18} stroke={1.75} aria-hidden />}
        onClick={() => {
          setWanted(true);
          setOpened(true);
        }}
      >
        {count > 0 ? t('items.change', { count }) : t('items.browse')}
      </Button>
      {error ? (
        <p id={errorId} className="pg-error">
          {error}
        </p>
      ) : null}
      {wanted ? (
        <Suspense fallback={null}>
          <Sheet opened={opened} onClose={() => setOpened(false)}>
            <PieceList
              sheet
              catalogue={catalogue}
              id={`${id}-search`}
              selected={selected}
              onChange={onChange}
              ownItems={ownItems}
              onOwnItems={onOwnItems}
              assembly={assembly}
            />
          </Sheet>
        </Suspense>
      ) : null}
    </div>
  );
}
