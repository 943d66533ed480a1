import { useTranslation } from 'react-i18next';

import { useLiveLine } from './live.ts';

/** Holds the line that tells what colleagues change, and says when it is down. */
export function LiveLine() {
  const { t } = useTranslation('shell');
  return (
    <div role="status" className="pg-muted pg-small">
      {useLiveLine() ? t('live.lost') : null}
    </div>
  );
}
