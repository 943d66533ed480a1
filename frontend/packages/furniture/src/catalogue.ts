import type { Furniture, FurnitureCategory, SelectedFurniture } from '@portage/api';
import type { Language } from '@portage/i18n';

export const categories: FurnitureCategory[] = [
  'living-room',
  'bedroom-bathroom',
  'kitchen-dining-room',
  'large-appliances',
  'bin-container-box',
  'outdoor-sports',
];

/** Letters only: "Étagère" is found by "etagere", "Œuvre" by "oeuvre". */
export function searchable(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('œ', 'oe').replaceAll('’', "'");
}

/** Every word of the query must begin or be part of the item's name in the language on screen. */
export function matches(item: Furniture, query: string, language: Language): boolean {
  const name = searchable(item.name[language]);
  return searchable(query)
    .split(/\s+/)
    .every((word) => name.includes(word));
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
  return selected.map((item) => (item.id === id ? { id, quantity } : item));
}

/** Whether two selections hold the same pieces, in whatever order. */
export function sameItems(one: SelectedFurniture[], other: SelectedFurniture[]): boolean {
  const counts = new Map(one.map(({ id, quantity }) => [id, quantity]));
  return one.length === other.length && other.every(({ id, quantity }) => counts.get(id) === quantity);
}
