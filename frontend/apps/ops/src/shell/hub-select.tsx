import { NativeSelect } from '@mantine/core';
import { asProblem } from '@portage/api';
import { Failed, Skeleton } from '@portage/kit/desk/states';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { allHubs, hubsQuery, useHubOptions } from './hubs.ts';

interface HubSelectProps {
  value: string;
  onChange: (hub: string) => void;
  /** All of them at once can be chosen as well. */
  all?: boolean;
}

/** The hub that a page shows. */
export function HubSelect({ value, onChange, all = false }: HubSelectProps) {
  const { t } = useTranslation('shell');
  const hubs = useHubOptions(value === allHubs ? undefined : value);
  return (
    <NativeSelect
      label={t('hub.label')}
      value={value}
      data={all ? [{ value: allHubs, label: t('hub.all') }, ...hubs] : hubs}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** In the place of what needs to know the hubs, until they have come. */
export function HubsAwaited() {
  const { t } = useTranslation('shell');
  const { isError, error, refetch } = useQuery(hubsQuery);
  if (isError) return <Failed title={t('hub.failed')} failure={asProblem(error)} onRetry={() => void refetch()} />;
  return <Skeleton label={t('hub.label')} rows={8} />;
}
