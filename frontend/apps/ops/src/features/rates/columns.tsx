import type { RateVersion } from '@portage/api';
import { montrealZone } from '@portage/domain';
import { LinkButton } from '@portage/frame';
import { formatDateTime, useLanguage } from '@portage/i18n';
import { DeskButton } from '@portage/kit/desk/button';
import type { Column } from '@portage/kit/desk/table';
import { useTranslation } from 'react-i18next';

import { RateState } from './rate-state.tsx';
import classes from './rates.module.css';

export const columnKeys = [
  { key: 'name', main: true },
  { key: 'state' },
  { key: 'from' },
  { key: 'until' },
  { key: 'do' },
] as const;

/** The card that came with the program holds since before anybody moved. */
const isBuiltIn = ({ effectiveFrom }: RateVersion) => Date.parse(effectiveFrom) <= 0;

/** What a version is called: the name of the card and its number. */
export function useVersionName(): (rate: Pick<RateVersion, 'name' | 'version'>) => string {
  const { t } = useTranslation('rates');
  return ({ name, version }) => t('version', { name, version });
}

export function useRateColumns(onRemove: (rate: RateVersion) => void): Column<RateVersion>[] {
  const { t } = useTranslation(['rates', 'shell']);
  const language = useLanguage();
  const name = useVersionName();
  const when = (instant: string) => formatDateTime(instant, montrealZone, language);
  const about: Record<(typeof columnKeys)[number]['key'], Omit<Column<RateVersion>, 'key'>> = {
    name: { title: t('col.version'), cell: name },
    state: { title: t('shell:col.state'), cell: (rate) => <RateState state={rate.state} /> },
    from: { title: t('col.from'), cell: (rate) => (isBuiltIn(rate) ? t('from.always') : when(rate.effectiveFrom)) },
    until: { title: t('col.until'), cell: (rate) => (rate.effectiveTo ? when(rate.effectiveTo) : t('until.open')) },
    do: {
      title: t('shell:col.do'),
      cell: (rate) => (
        <span className={classes['buttons']}>
          <LinkButton
            to="/rates/$id/edit"
            params={{ id: rate.id }}
            variant={rate.state === 'active' ? 'filled' : 'default'}
            size="sm"
            aria-label={t(`edit.${rate.state}Of`, { version: name(rate) })}
          >
            {t(`edit.${rate.state}`)}
          </LinkButton>
          {rate.state === 'planned' ? (
            <DeskButton
              variant="quiet"
              aria-label={t('remove.name', { version: name(rate) })}
              onClick={() => onRemove(rate)}
            >
              {t('remove.open')}
            </DeskButton>
          ) : null}
        </span>
      ),
    },
  };
  return columnKeys.map((column) => ({ ...column, ...about[column.key] }));
}
