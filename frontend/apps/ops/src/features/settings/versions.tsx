import { montrealZone } from '@portage/domain';
import { QueryState } from '@portage/frame';
import { formatDateTime, formatItems, useLanguage } from '@portage/i18n';
import { DeskButton } from '@portage/kit/desk/button';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { useSettings } from './context.ts';
import { useWords } from './labels.ts';
import { versionsQuery } from './queries.ts';
import { Part } from './setting.tsx';
import classes from './settings.module.css';
import type { Group, Values, Version } from './types.ts';

interface VersionsProps {
  group: Group;
  /** Writes the values of a version into the form; version 0 has none. */
  onUse: (version: number, saved: Values) => void;
}

/** Who saved what and when, and the way back to it. */
export function Versions({ group, onUse }: VersionsProps) {
  const { t } = useTranslation('settings');
  const { base, locked } = useSettings();
  const versions = useQuery(versionsQuery(group));
  const wayBack = (version: number, saved: Values) =>
    locked ? null : (
      <DeskButton aria-label={t('versions.useOf', { version })} onClick={() => onUse(version, saved)}>
        {t('versions.use')}
      </DeskButton>
    );
  return (
    <Part title={t('versions.title')}>
      <QueryState query={versions} rows={2}>
        {(list) =>
          list.length === 0 ? (
            <p className="pg-muted">{t('versions.none')}</p>
          ) : (
            <ol className={classes['versions']}>
              {list.map((one) => (
                <li key={one.version}>
                  <VersionText version={one} />
                  {one.version === base.version ? (
                    <span className="pg-muted">{t('versions.now')}</span>
                  ) : (
                    wayBack(one.version, one.saved)
                  )}
                </li>
              ))}
              <li>
                <span>{t('versions.zero')}</span>
                {wayBack(0, {})}
              </li>
            </ol>
          )
        }
      </QueryState>
    </Part>
  );
}

function VersionText({ version: { version, changedAt, changedBy, saved } }: { version: Version }) {
  const { t } = useTranslation('settings');
  const language = useLanguage();
  const { fields } = useSettings();
  const { label } = useWords();
  const when = formatDateTime(changedAt, montrealZone, language);
  const names = fields.filter(({ name }) => name in saved).map(({ key }) => label(key));
  return (
    <div>
      {changedBy === null ? t('versions.at', { version, when }) : t('versions.by', { version, when, name: changedBy })}
      <p className="pg-help">{names.length > 0 ? formatItems(names, language) : t('versions.empty')}</p>
    </div>
  );
}
