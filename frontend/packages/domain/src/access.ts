import { useTranslation } from 'react-i18next';

/** Kinds of places that things are moved from and to. */
export const placeCategories = ['house', 'apartment', 'condo', 'storage', 'office', 'store', 'other'] as const;
export type PlaceCategory = (typeof placeCategories)[number];

/** Names a floor; 0 is the ground floor. */
export function useFloorText(): (floor: number) => string {
  const { t } = useTranslation('domain');
  return (floor) => (floor === 0 ? t('access.groundFloor') : t('access.floor', { floor }));
}

export interface Access {
  floor: number;
  elevator: number;
  parking: boolean;
}

/** How one gets in and out, fact by fact: `Floor 3`, `No elevator`, `Truck parking`; of what was not said there is none. */
export function useAccessFacts(): (access: { [Fact in keyof Access]?: Access[Fact] | null | undefined }) => string[] {
  const { t } = useTranslation('domain');
  const floorText = useFloorText();
  return ({ floor, elevator, parking }) => [
    ...(floor == null ? [] : [floorText(floor)]),
    ...(elevator == null ? [] : [elevator > 0 ? t('access.elevators', { count: elevator }) : t('access.noElevator')]),
    ...(parking == null ? [] : [parking ? t('access.parking') : t('access.noParking')]),
  ];
}
