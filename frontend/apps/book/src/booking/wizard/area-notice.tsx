import { Notice } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import { areaVerdict } from '../draft/address.ts';
import { useDraft } from '../draft/draft-store.ts';

/** Says at the addresses that we do not go there, or what the other end has to be so that we do. */
export function AreaNotice() {
  const { t } = useTranslation('wizard');
  const verdict = areaVerdict(useDraft().ends);
  if (verdict === 'refused')
    return (
      <Notice tone="error" live title={t('area.unserved')}>
        {t('area.serviceArea')}
      </Notice>
    );
  if (verdict === 'needsMontreal')
    return (
      <Notice tone="warning" live>
        {t('area.serviceArea')}
      </Notice>
    );
  return null;
}
