import { Button } from '@mantine/core';
import type { EstimateWarning } from '@portage/api';
import { catalogueQuery } from '@portage/furniture';
import { formatList, useLanguage } from '@portage/i18n';
import { Notice } from '@portage/kit';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { draftStore, useDraft } from '../draft/draft-store.ts';
import { SupportLinks } from '../../shell/chat/support-links.tsx';
import { useLargestCrew, useSupportOnly } from './rate-card.ts';

/** The sentence of a warning; unknown ones read like the call for support. */
export function useWarningText(): (warning: EstimateWarning) => string {
  const { t } = useTranslation('estimate');
  const language = useLanguage();
  const { selectedFurnitures } = useDraft();
  const supportOnly = useSupportOnly();
  const catalogue = useQuery(catalogueQuery).data?.data ?? [];
  const special = selectedFurnitures
    .filter(({ id, quantity }) => quantity > 0 && supportOnly.includes(id))
    .flatMap(({ id }) => catalogue.find((item) => item.id === id)?.name[language] ?? []);
  return (warning) => {
    if (warning.code === 'heavy_item_single_mate') return t('warning.heavySingleMate');
    if (warning.code === 'min_mates') return t('warning.minMates', { n: warning.mates ?? 3 });
    if (special.length > 0) return t('warning.supportOnly', { items: formatList(special, language) });
    return t('warning.contactSupport');
  };
}

/** What stops this crew from doing this move, each with the change that mends it. */
export function CrewWarnings({ warnings }: { warnings: EstimateWarning[] }) {
  const { t } = useTranslation('estimate');
  const text = useWarningText();
  const largestCrew = useLargestCrew();
  return warnings.map((warning) => {
    const mates =
      warning.code === 'heavy_item_single_mate' ? 2 : warning.code === 'min_mates' ? (warning.mates ?? 3) : null;
    return (
      <Notice
        key={warning.code}
        tone="warning"
        live
        action={
          mates === null || mates > largestCrew ? (
            <SupportLinks />
          ) : (
            <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8 }}>
              <Button
                size="sm"
                variant="default"
                onClick={() => draftStore.patch({ mateCount: mates, numberOfHelpers: mates })}
              >
                {t('warning.chooseMates', { count: mates })}
              </Button>
              {warning.code === 'heavy_item_single_mate' ? (
                <Button size="sm" variant="default" onClick={() => draftStore.patch({ clientAsMate: true })}>
                  {t('warning.helpCarry')}
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
