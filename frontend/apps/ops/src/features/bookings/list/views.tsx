import { type DeskFilters, type DeskView, type DeskViews } from '@portage/api';
import { formatNumber, useLanguage } from '@portage/i18n';
import { DeskButton } from '@portage/kit/desk/button';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';

import type { List } from './use-list.ts';
import { orderOf, viewsQuery } from './queries.ts';
import classes from './views.module.css';

/** Only what is filtered can be saved: its code comes with the first filter. */
const SaveView = lazy(() => import('./save-view.tsx').then((module) => ({ default: module.SaveView })));

interface Tab {
  key: string;
  label: string;
  value?: string | null;
  filters?: DeskFilters;
  sort?: string | null;
  more?: Record<string, unknown>;
  total?: string;
  urgent?: boolean;
}

const same = (a: DeskFilters, b: DeskFilters) => {
  const sorted = (filters: DeskFilters) =>
    JSON.stringify(Object.entries(filters).sort(([x], [y]) => x.localeCompare(y)));
  return sorted(a) === sorted(b);
};

function useTabs(list: List, views: DeskViews | undefined): { tabs: Tab[]; saved: DeskView | undefined } {
  const { t } = useTranslation(['bookings', 'desk']);
  const language = useLanguage();
  const count = (total: number, exact: boolean) => `${formatNumber(total, language)}${exact ? '' : '+'}`;
  const names: Record<string, string> = {
    unassignedSoon: t('views.unassignedSoon'),
    paymentProblem: t('views.paymentProblem'),
    waitingForCustomer: t('views.waitingForCustomer'),
  };
  const tabs: Tab[] = [
    { key: 'upcoming', label: t('views.upcoming') },
    { key: 'today', label: t('desk:dates.preset.today'), more: { moves: 'today' } },
    ...(views?.worklists ?? []).map((one) => ({
      key: one.key,
      label: names[one.key] ?? one.key,
      filters: one.filters,
      sort: one.sort ?? null,
      total: count(one.total, one.totalIsExact),
      urgent: one.total > 0,
    })),
    { key: 'all', label: t('views.all'), more: { all: true } },
    ...(views?.data ?? []).map((one) => ({
      key: one.id,
      label: one.shared ? one.name : t('views.own', { name: one.name }),
      value: one.value ?? null,
      filters: one.filters,
      sort: one.sort ?? null,
      total: count(one.total, one.totalIsExact),
    })),
  ];
  return { tabs, saved: views?.data.find((one) => one.id === list.view) };
}

/** Views of the list as links: the usual ones, the worklists with what waits there, and those that people saved. */
export function Views({ list }: { list: List }) {
  const { t } = useTranslation('bookings');
  const views = useQuery(viewsQuery);
  const { tabs, saved } = useTabs(list, views.data);
  const bare = !list.hasFilters && !list.all;
  const at = list.view ?? (bare ? 'upcoming' : null);
  const chosen = tabs.find((tab) => tab.key === at);
  const order = list.state.sort ? orderOf(list.state.sort) : null;
  // what is searched for comes in the order of how well it fits
  const usual = saved?.value ? null : 'moveAt';
  const changed =
    saved !== undefined &&
    (!same(saved.filters, list.asked.filters) ||
      (saved.sort ?? usual) !== order ||
      (saved.value ?? '') !== list.asked.value);
  return (
    <div className={classes['root']}>
      <nav aria-label={t('views.label')} className={classes['nav']}>
        <ul>
          {tabs.map((tab) => (
            <li key={tab.key}>
              <Link
                to="/bookings"
                search={list.searchOf({ ...tab, key: tab.key === 'upcoming' ? '' : tab.key })}
                className={classes['view']}
                aria-current={tab === chosen ? 'page' : undefined}
                data-chosen={tab === chosen || undefined}
              >
                {tab.label}
                {tab.total === undefined ? null : (
                  <span className={classes['count']} data-urgent={tab.urgent || undefined}>
                    {tab.total}
                  </span>
                )}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {views.isError ? (
        <span className={classes['said']} role="status">
          {t('views.failed')}
        </span>
      ) : null}
      {changed ? (
        <span className={classes['changed']}>
          <span>{t('views.changed')}</span>
          <DeskButton variant="quiet" onClick={() => list.show(saved)}>
            {t('views.reset')}
          </DeskButton>
        </span>
      ) : null}
      {list.hasFilters || saved ? (
        <Suspense fallback={null}>
          <SaveView list={list} saved={saved} changed={changed} order={order} />
        </Suspense>
      ) : null}
    </div>
  );
}
