import type { FurnitureCatalogue, SelectedFurniture } from '@portage/api';

import { sameItems } from './catalogue.ts';

/** What was said of the home: its kind, one of the ready-made inventories, and rooms it has besides. */
export interface Rooms {
  home: string | null;
  more: Record<string, number>;
}

export const noRooms = (): Rooms => ({ home: null, more: {} });

export const mostRooms = 9;

/** How many of a room; what was stored may be of another shape. */
export function roomCount(rooms: Rooms, id: string): number {
  const count: unknown = (rooms.more as Record<string, unknown> | null)?.[id];
  return typeof count === 'number' && count > 0 ? Math.min(mostRooms, Math.floor(count)) : 0;
}

/** What usually stands in such a home, in the order of its inventories. */
export function typicalItems(rooms: Rooms, catalogue: FurnitureCatalogue): SelectedFurniture[] {
  const counts = new Map<string, number>();
  const add = (items: SelectedFurniture[], times: number) => {
    for (const { id, quantity } of items) counts.set(id, (counts.get(id) ?? 0) + quantity * times);
  };
  add(catalogue.presets.find((preset) => preset.id === rooms.home)?.items ?? [], 1);
  for (const room of catalogue.rooms) {
    const times = roomCount(rooms, room.id);
    if (times > 0) add(room.items, times);
  }
  return [...counts].map(([id, quantity]) => ({ id, quantity }));
}

/** The list with what a typical home has more of; nothing that was chosen gets less. */
export function withTypical(selected: SelectedFurniture[], typical: SelectedFurniture[]): SelectedFurniture[] {
  const wanted = new Map(typical.map(({ id, quantity }) => [id, quantity]));
  const known = new Set(selected.map(({ id }) => id));
  return [
    ...selected.map((item) => ({ ...item, quantity: Math.max(item.quantity, wanted.get(item.id) ?? 0) })),
    ...typical.filter(({ id }) => !known.has(id)),
  ];
}

/** Whether the list is nobody's own work: empty, or as the rooms or one of the inventories made it. */
export function untouched(selected: SelectedFurniture[], rooms: Rooms, catalogue: FurnitureCatalogue): boolean {
  const chosen = selected.filter(({ quantity }) => quantity > 0);
  return (
    chosen.length === 0 ||
    sameItems(chosen, typicalItems(rooms, catalogue)) ||
    catalogue.presets.some((preset) => sameItems(chosen, preset.items))
  );
}

/** The rooms as they were said, or as the list shows them where it is an inventory as it came. */
export function roomsOf(rooms: Rooms, selected: SelectedFurniture[], catalogue: FurnitureCatalogue): Rooms {
  if (rooms.home !== null) return rooms;
  const home = catalogue.presets.find((preset) => sameItems(preset.items, selected))?.id ?? null;
  return { ...rooms, home };
}
