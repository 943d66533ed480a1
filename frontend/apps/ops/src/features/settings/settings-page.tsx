import { profileQuery } from '@portage/frame';
import { Notice, PageHeading } from '@portage/kit';
import { Tabs } from '@portage/kit/desk/tabs';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { GroupPanel } from './group-panel.tsx';
import classes from './settings.module.css';
import { type Group, groups } from './types.ts';

/** What the company is called, and the numbers that its bookings and its days are made with. */
function SettingsPage() {
  const { t } = useTranslation(['settings', 'shell']);
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const own = useQuery(profileQuery);
  const opened = search['group'];
  const open = (group: Group) =>
    void navigate({
      to: '.',
      search: ((before: Record<string, unknown>) => ({ ...before, group })) as never,
      resetScroll: false,
    });
  return (
    <>
      <PageHeading title={t('shell:area.settings')} lead={t('lead')} />
      <div className={classes['holds']}>
        <Notice>{t('holds')}</Notice>
      </div>
      <Tabs
        label={t('shell:area.settings')}
        tabs={groups.map((key) => ({ key, label: t(`group.${key}`) }))}
        value={typeof opened === 'string' ? opened : null}
        onChange={open}
        // each panel asks the server, and what is typed is asked about before it is left
        manual
      >
        {(group) => <GroupPanel key={group} group={group} locked={own.data?.role !== 'admin'} />}
      </Tabs>
    </>
  );
}

export const Route = createLazyRoute('/desk/settings')({ component: SettingsPage });
