import { formatName, formatWallTime, useLanguage } from '@portage/i18n';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

import { useEndedText } from '../../shell/catalogue/paper-kinds.ts';
import type { ClashingJob, DispatchConflict, DispatchJob } from './types.ts';

const clockOf = (local: string) => local.slice(11, 16);

/** Another job with its times. */
export function useClashText(): (other: ClashingJob) => string {
  const { t } = useTranslation('dispatch');
  const language = useLanguage();
  return useCallback(
    (other) =>
      t('clash', {
        number: other.shortId,
        from: formatWallTime(clockOf(other.localStart), language),
        until: formatWallTime(clockOf(other.localEnd), language),
        minutes: other.wayMinutes,
      }),
    [t, language],
  );
}

/** What is wrong with a job, in a sentence. */
export function useConflictText(): (conflict: DispatchConflict, job: DispatchJob) => string {
  const { t } = useTranslation('dispatch');
  const clashText = useClashText();
  const endedText = useEndedText();
  return useCallback(
    ({ code, who, other, paper }, job) => {
      const values = { who: formatName(who ?? ''), other: other ? clashText(other) : '' };
      switch (code) {
        case 'mate_taken':
        case 'truck_taken':
          return t('conflict.taken', values);
        case 'mate_away':
        case 'truck_away':
          return t('conflict.away', values);
        case 'too_few':
          return t('conflict.tooFew', { count: job.mateCount - job.crew.length });
        case 'no_truck':
          return t('conflict.noTruck');
        case 'no_skill':
          return t('conflict.noSkill');
        case 'mate_unconfirmed':
          return t('conflict.unconfirmed', values);
        case 'mate_paper_ended':
        case 'truck_paper_ended':
          return t('conflict.paper', { ...values, paper: paper ? endedText(paper) : '' });
      }
    },
    [t, clashText, endedText],
  );
}

/** From when to when the work goes. */
export function useTimes(): (job: Pick<DispatchJob, 'time' | 'endTime'>) => string {
  const { t } = useTranslation('dispatch');
  const language = useLanguage();
  return useCallback(
    ({ time, endTime }) =>
      t('times', { from: formatWallTime(time, language), until: formatWallTime(endTime, language) }),
    [t, language],
  );
}
