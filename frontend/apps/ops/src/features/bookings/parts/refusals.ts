/** Refusals that name no field, and what in a move they are about. */
export const aboutField: Record<string, string> = {
  discount_not_found: 'discountCode',
  slot_gone: 'time',
  not_a_slot: 'time',
  date_closed: 'date',
  date_past: 'date',
  too_soon: 'date',
  too_far_ahead: 'date',
  too_long: 'mateCount',
  min_mates: 'mateCount',
  heavy_item_single_mate: 'mateCount',
  contact_support: 'items',
  area_unserved: 'pickup',
  province_not_served: 'pickup',
  no_route: 'dropoff',
};

/** A field of the call by its path: what the pages call it, and what of it is wrong. */
export function partOf(path: string): [string, string] {
  const [first = '', second = ''] = path.replace(/^(?:bookingRequest|booking)\./, '').split('.');
  if (first === 'pickupCoords') return ['pickup', second];
  if (first === 'dropoffCoords') return ['dropoff', second];
  if (first.startsWith('selectedFurnitures')) return ['items', second];
  return [first, second];
}
