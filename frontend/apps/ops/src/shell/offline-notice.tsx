import { Notice } from '@portage/kit';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';

function useOnline(): boolean {
  return useSyncExternalStore(
    (changed) => {
      addEventListener('online', changed);
      addEventListener('offline', changed);
      return () => {
        removeEventListener('online', changed);
        removeEventListener('offline', changed);
      };
    },
    () => navigator.onLine,
  );
}

/** Says that the connection is gone for as long as it is. */
export function OfflineNotice() {
  const { t } = useTranslation('shell');
  if (useOnline()) return null;
  return (
    <div style={{ marginBottom: 16 }}>
      <Notice tone="warning" live>
        {t('notice.offline')}
      </Notice>
    </div>
  );
}
