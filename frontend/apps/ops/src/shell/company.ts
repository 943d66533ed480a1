import { serverNow } from '@portage/api';
import { montrealDay } from '@portage/domain';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

/** Where crews and trucks start from. */
export const hubs = ['montreal', 'toronto', 'vancouver', 'calgary'] as const;

/** The name of a hub; one that a newer server adds stands by its id. */
export function useHubName(): (id: string) => string {
  const { t } = useTranslation('shell');
  return useCallback(
    (id) => {
      const known = hubs.find((hub) => hub === id);
      return known ? t(`hub.${known}`) : id;
    },
    [t],
  );
}

/** Today on Montreal's calendar, by the server's clock. */
export function deskToday(): string {
  return montrealDay(new Date(serverNow()).toISOString());
}
