import { useTranslation } from 'react-i18next';

import { useFieldName } from '../parts/move-fields.tsx';
import type { ChangeKey } from './form.ts';

/** The name of a field of a change; those of the two ends share theirs. */
export function useChangeName(): (key: ChangeKey) => string {
  const { t } = useTranslation(['record', 'order', 'change', 'furniture']);
  const name = useFieldName();
  return (key) => {
    switch (key) {
      case 'pickup':
      case 'dropoff':
        return t('order:end.address');
      case 'pickupCategory':
      case 'dropoffCategory':
        return t('record:edit.categories');
      case 'kind':
        return t('change:field.kind');
      case 'items':
        return t('order:group.what');
      case 'ownItems':
        return t('furniture:own.what');
      case 'assembly':
        return t('order:what.assembly');
      case 'services':
        return t('order:what.services');
      default:
        return name(key);
    }
  };
}
