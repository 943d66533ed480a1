import type { TruckSize } from '@portage/api';
import { useTranslation } from 'react-i18next';

/** The length of the box, in words. */
export function useSizeText(): (size: TruckSize) => string {
  const { t } = useTranslation('trucks');
  return (size) => t('size', { feet: Number.parseInt(size, 10) });
}
