import { useTranslation } from 'react-i18next';

/** Names a floor; 0 is the ground floor. */
export function useFloorText(): (floor: number) => string {
  const { t } = useTranslation('domain');
  return (floor) => (floor === 0 ? t('access.groundFloor') : t('access.floor', { floor }));
}
