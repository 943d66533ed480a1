import { LanguageNotice, useFailedLanguage } from '@portage/frame';
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

/** Says that the connection is gone for as long as it is, and that a language could not be had. */
export function OfflineNotice() {
  const { t } = useTranslation('shell');
  const online = useOnline();
  const language = useFailedLanguage();
  if (online && !language) return null;
  return (
    <div style={{ marginBottom: 16, display: 'grid', gap: 8 }}>
      {online ? null : (
        <Notice tone="warning" live>
          {t('notice.offline')}
        </Notice>
      )}
      <LanguageNotice />
    </div>
  );
}
