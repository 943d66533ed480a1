import { Button } from '@mantine/core';
import type { EstimateWarning } from '@portage/api';
import { Notice } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import { draftStore } from '../draft/draft-store.ts';
import { SupportLinks } from '../../shell/chat/support-links.tsx';
import { useOnlineHeads } from './online-heads.ts';

/** The sentence of a warning; unknown ones read like the call for support. */
export function useWarningText(): (warning: EstimateWarning) => string {
  const { t } = useTranslation('move');
  return (warning) => {
    if (warning.code === 'heavy_item_single_mate') return t('items.heavySingleMate');
    if (warning.code === 'min_mates') return t('items.minMates', { n: warning.mates ?? 3 });
    return t('items.contactSupport');
  };
}

/** What stops this crew from doing this move, each with the change that mends it. */
export function CrewWarnings({ warnings }: { warnings: EstimateWarning[] }) {
  const { t } = useTranslation('move');
  const text = useWarningText();
  const most = useOnlineHeads();
  return warnings.map((warning) => {
    const mates =
      warning.code === 'heavy_item_single_mate' ? 2 : warning.code === 'min_mates' ? (warning.mates ?? 3) : null;
    return (
      <Notice
        key={warning.code}
        tone="warning"
        live
        action={
          mates === null || mates > most ? (
            <SupportLinks />
          ) : (
            <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8 }}>
              <Button
                size="sm"
                variant="default"
                onClick={() => draftStore.patch({ mateCount: mates, numberOfHelpers: mates })}
              >
                {t('crew.choose', { count: mates })}
              </Button>
              {warning.code === 'heavy_item_single_mate' ? (
                <Button size="sm" variant="default" onClick={() => draftStore.patch({ clientAsMate: true })}>
                  {t('crew.clientAsMate')}
                </Button>
              ) : null}
            </div>
          )
        }
      >
        {text(warning)}
      </Notice>
    );
  });
}
