import { asProblem } from '@portage/api';
import { FormShell } from '@portage/forms';
import { Notice } from '@portage/kit';
import { Failed, Skeleton } from '@portage/kit/desk/states';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { HubsAwaited } from '../../shell/hub-select.tsx';
import { useHubs } from '../../shell/hubs.ts';
import { ConflictNotice } from './conflict-notice.tsx';
import { SettingsContext } from './context.ts';
import { GroupFields } from './group-fields.tsx';
import { groupQuery } from './queries.ts';
import classes from './settings.module.css';
import type { Group, GroupRecord } from './types.ts';
import { useSettingsForm } from './use-settings-form.ts';
import { Versions } from './versions.tsx';

interface GroupPanelProps {
  group: Group;
  /** Who reads it may not change it. */
  locked: boolean;
}

/** Begins the form of a group with what is in force now; what it began with stays when others change it. */
export function GroupPanel({ group, locked }: GroupPanelProps) {
  const { t } = useTranslation('settings');
  const record = useQuery({ ...groupQuery(group), staleTime: 0 });
  const hubs = useHubs();
  const [first, setFirst] = useState<GroupRecord | null>(null);
  if (record.data && !record.isFetching && first === null) setFirst(record.data);
  if (first !== null && group === 'company' && hubs.length === 0) return <HubsAwaited />;
  if (first !== null) return <GroupForm group={group} first={first} hubs={hubs.map(({ id }) => id)} locked={locked} />;
  if (record.isError)
    return <Failed title={t('failed')} failure={asProblem(record.error)} onRetry={() => void record.refetch()} />;
  return <Skeleton label={t('loading')} kind="record" />;
}

interface GroupFormProps extends GroupPanelProps {
  first: GroupRecord;
  /** The ids of all hubs. */
  hubs: readonly string[];
}

function GroupForm({ group, first, hubs, locked }: GroupFormProps) {
  const { t } = useTranslation(['settings', 'common', 'person']);
  const settings = useSettingsForm(group, first, hubs);
  const { shell, conflict } = settings;
  /** The version whose values were written into the form over what held then, and how often that was asked for. */
  const [filled, setFilled] = useState<{ version: number; over: GroupRecord; times: number } | null>(null);
  const fields = (
    <fieldset disabled={locked} className={classes['all']}>
      <GroupFields group={group} />
    </fieldset>
  );
  return (
    <SettingsContext value={{ ...settings, locked }}>
      {locked ? (
        <>
          <p className={`pg-muted ${classes['locked']}`}>{t('onlyAdmins')}</p>
          {fields}
        </>
      ) : (
        <FormShell
          shell={shell}
          size="md"
          submitLabel={t('common:action.save')}
          takenText={t('person:saved')}
          className={classes['form']}
          renderRefusal={() => (conflict ? <ConflictNotice conflict={conflict} /> : null)}
        >
          {filled && filled.over === settings.base && shell.form.formState.isDirty ? (
            <Notice key={filled.times} live led>
              {filled.version === 0 ? t('filled.defaults') : t('filled.version', { version: filled.version })}
            </Notice>
          ) : null}
          {fields}
        </FormShell>
      )}
      <Versions
        group={group}
        onUse={(version, saved) => {
          settings.fill(saved);
          setFilled((before) => ({ version, over: settings.base, times: (before?.times ?? 0) + 1 }));
        }}
      />
    </SettingsContext>
  );
}
