import type { SelectedFurniture } from '@portage/api';
import { catalogueQuery, FurniturePicker, noRooms } from '@portage/furniture';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import classes from '../parts/pieces.module.css';

export interface PiecesProps {
  id: string;
  error: string | undefined;
  items: SelectedFurniture[];
  onItems: (change: (items: SelectedFurniture[]) => SelectedFurniture[]) => void;
  ownItems: string;
  onOwnItems: (words: string) => void;
  assembly: boolean;
}

/** The pieces of the booking to choose from. Rooms only propose pieces here: the record keeps those of its customer. */
export function Pieces({ id, error, items, onItems, ownItems, onOwnItems, assembly }: PiecesProps) {
  const [rooms, setRooms] = useState(noRooms);
  const ready = useQuery(catalogueQuery).isSuccess;
  useEffect(() => {
    // the button that brought the list is gone: its search takes the focus, unless that went elsewhere meanwhile
    if (ready && document.activeElement === document.body) document.getElementById(id)?.focus({ preventScroll: true });
  }, [ready, id]);
  return (
    <div className={classes['picker']}>
      <FurniturePicker
        id={id}
        error={error}
        selected={items}
        onChange={onItems}
        rooms={rooms}
        onRooms={setRooms}
        ownItems={ownItems}
        onOwnItems={onOwnItems}
        assembly={assembly}
      />
    </div>
  );
}
