import type { Furniture, FurnitureCatalogue, FurnitureCategory, SelectedFurniture } from '@portage/api';

/** The groups, each with the piece that stands for it. */
export const categories: { id: FurnitureCategory; drawing: string }[] = [
  { id: 'living-room', drawing: 'couch-3-seats' },
  { id: 'bedroom-bathroom', drawing: 'bed-frame-queen' },
  { id: 'kitchen-dining-room', drawing: 'dining-table-6' },
  { id: 'large-appliances', drawing: 'fridge-standard' },
  { id: 'bin-container-box', drawing: 'box-medium-3-1' },
  { id: 'outdoor-sports', drawing: 'bicycle-adult' },
];

/** What is in no list, in three sizes; it stands apart from the groups. */
export const ownSizes = ['own-small', 'own-medium', 'own-large'] as const;

export function isOwn(id: string): boolean {
  return id.startsWith('own-');
}

/** A group with what most homes have first, otherwise in the order of the catalogue. */
export function usualFirst(group: Furniture[], { presets }: FurnitureCatalogue): Furniture[] {
  const seen = (id: string) => presets.filter(({ items }) => items.some((item) => item.id === id)).length;
  return group
    .map((item) => ({ item, seen: seen(item.id) }))
    .sort((a, b) => b.seen - a.seen)
    .map(({ item }) => item);
}

/** Counts and volume of a selection; volumes are added in tenths of a cubic foot. */
export function totals(
  selected: SelectedFurniture[],
  catalogue: Furniture[],
): { count: number; tenths: number; big: number; small: number } {
  const byId = new Map(catalogue.map((item) => [item.id, item]));
  const sum = { count: 0, tenths: 0, big: 0, small: 0 };
  for (const { id, quantity } of selected) {
    const item = byId.get(id);
    sum.count += quantity;
    sum.tenths += Math.round(Number(item?.cubicFeet ?? 0) * 10) * quantity;
    if (item?.big) sum.big += quantity;
    else sum.small += quantity;
  }
  return sum;
}

/** Sets one count; a count of zero takes the item off the list. */
export function withQuantity(selected: SelectedFurniture[], id: string, quantity: number): SelectedFurniture[] {
  const rest = selected.filter((item) => item.id !== id);
  if (quantity <= 0) return rest;
  const index = selected.findIndex((item) => item.id === id);
  if (index === -1) return [...selected, { id, quantity }];
  return selected.map((item) => (item.id === id ? { ...item, quantity } : item));
}

/** Says of one piece whether it is taken apart; what the catalogue says anyhow is not said again. */
export function withAssembly(
  selected: SelectedFurniture[],
  id: string,
  assembly: boolean,
  usual: boolean,
): SelectedFurniture[] {
  return selected.map((item) => {
    if (item.id !== id) return item;
    const { assembly: _, ...rest } = item;
    return assembly === usual ? rest : { ...rest, assembly };
  });
}

/** Whether two selections hold the same pieces, in whatever order. */
export function sameItems(one: SelectedFurniture[], other: SelectedFurniture[]): boolean {
  const counts = new Map(one.map(({ id, quantity }) => [id, quantity]));
  return one.length === other.length && other.every(({ id, quantity }) => counts.get(id) === quantity);
}
