import { asProblem, type DeskBooking } from '@portage/api';
import { whenIdle } from '@portage/frame';
import { formatCalendarDate, formatName, formatNumber, useLanguage } from '@portage/i18n';
import { PageHeading } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { FilterBar } from '@portage/kit/desk/filters';
import { NothingYet } from '@portage/kit/desk/states';
import { DataTable, nothingSelected, type Selection } from '@portage/kit/desk/table';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useBookingColumns } from './list/columns.tsx';
import { ExportButton } from './list/export-button.tsx';
import classes from './list-page.module.css';
import { LiveRows } from './list/live-rows.tsx';
import { listQuery } from './list/queries.ts';
import { type List, pageSizes, useList } from './list/use-list.ts';
import { Views } from './list/views.tsx';

const loadDrawer = () => import('./record/record-drawer.tsx');
const loadBulkStatus = () => import('./list/bulk-status.tsx');
/** The rows are there before these are needed; their code comes while nothing else does. */
const LeftOutNotice = lazy(() =>
  import('../../shell/left-out-notice.tsx').then((module) => ({ default: module.LeftOutNotice })),
);
const BulkStatus = lazy(() => loadBulkStatus().then((module) => ({ default: module.BulkStatus })));
const RecordDrawer = lazy(() => loadDrawer().then((module) => ({ default: module.RecordDrawer })));

/** How many the list has, in words; past what the server counts it says so. */
function useCount() {
  const { t } = useTranslation('bookings');
  const language = useLanguage();
  return (total: number, exact: boolean) => {
    const shown = formatNumber(total, language);
    return exact ? t('list.count', { count: total, shown }) : t('list.countOver', { shown });
  };
}

/** A link to the record beside the list, and as a page where a new tab is asked for. */
function rowLink(list: List) {
  return (row: DeskBooking, content: React.ReactNode, props: object) => (
    <Link
      to="/bookings/$id"
      params={{ id: row.id }}
      {...props}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        list.setOpen(row.id);
      }}
    >
      {content}
    </Link>
  );
}

/** The list of bookings: views, search, filters, rows; the open record stands beside it. */
export function BookingsPage() {
  const { t } = useTranslation(['bookings', 'shell']);
  const list = useList();
  const navigate = useNavigate();
  const columns = useBookingColumns();
  const language = useLanguage();
  const dayOf = (row: DeskBooking) =>
    formatCalendarDate(row.date, language, { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' });
  const query = listQuery(list.asked);
  const rows = useQuery(query);
  const count = useCount();
  const [selection, setSelection] = useState<Selection>(nothingSelected);
  const data = rows.data?.data ?? [];
  const total = rows.data?.total ?? 0;
  const [drawer, setDrawer] = useState(false);
  useEffect(() => {
    whenIdle(() => {
      // asked for again when rows are chosen or a record is opened
      loadBulkStatus().catch(() => {});
      loadDrawer().then(
        () => setDrawer(true),
        () => {},
      );
    });
  }, []);
  const { focusSearch, forgetFocus } = list;
  useEffect(() => {
    if (!focusSearch) return;
    document.querySelector<HTMLInputElement>('main input[type="search"]')?.focus();
    forgetFocus();
    // once: the address is cleaned by it
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [focusSearch]);
  // rows that were chosen under other filters are not in sight
  const shownBy = JSON.stringify([list.asked.value, list.asked.filters, list.all]);
  const [chosenBy, setChosenBy] = useState(shownBy);
  if (chosenBy !== shownBy) {
    setChosenBy(shownBy);
    setSelection(nothingSelected);
  }

  return (
    <div className={classes['root']}>
      <div className={classes['head']}>
        <PageHeading title={t('shell:area.bookings')} />
        <div className={classes['actions']}>
          <LiveRows queryKey={query.queryKey} rows={data} onShow={() => void rows.refetch()} />
          <ExportButton list={list} />
          <DeskButton
            variant="primary"
            icon={<IconPlus size={16} stroke={1.75} aria-hidden />}
            onClick={() => void navigate({ to: '/bookings/new' })}
          >
            {t('shell:do.newBooking')}
          </DeskButton>
        </div>
      </div>
      <Views list={list} />
      {list.leftOut.names.length > 0 ? (
        <Suspense fallback={null}>
          <LeftOutNotice of={list.leftOut} />
        </Suspense>
      ) : null}
      <DataTable
        label={t('shell:area.bookings')}
        columns={columns}
        rows={data}
        rowKey={(row) => row.id}
        rowName={(row) => `${row.shortId} ${formatName(row.customerName)}`}
        renderLink={rowLink(list)}
        openKey={list.open}
        {...(list.state.sort?.by === 'moveAt' ? { groupOf: dayOf } : {})}
        state={list.state}
        onState={list.setState}
        selection={{ value: selection, onChange: setSelection }}
        bulkActions={
          <Suspense fallback={null}>
            <BulkStatus
              selection={selection}
              rows={data}
              onDone={(left) => setSelection({ keys: new Set(left), allMatching: false })}
            />
          </Suspense>
        }
        tools={
          <FilterBar
            filters={list.filters}
            values={list.values}
            onChange={list.setFilters}
            today={list.today}
            {...(rows.data ? { results: count(total, rows.data.totalIsExact) } : {})}
          />
        }
        total={total}
        pageSizes={pageSizes}
        status={rows.isPending ? 'loading' : rows.isFetching && rows.isPlaceholderData ? 'refreshing' : 'ready'}
        failure={
          rows.isError
            ? { title: t('list.failed'), failure: asProblem(rows.error), onRetry: () => void rows.refetch() }
            : null
        }
        empty={
          <NothingYet
            title={t('list.empty')}
            action={
              list.all ? undefined : (
                <Link to="/bookings" search={{ all: true, view: 'all' }}>
                  {t('list.emptyAll')}
                </Link>
              )
            }
          >
            {t('list.emptyHelp')}
          </NothingYet>
        }
        filtered={list.hasFilters ? { onClear: () => list.setFilters({}) } : null}
        height="calc(100dvh - 228px)"
      />
      {drawer || list.open ? (
        <Suspense fallback={null}>
          <RecordDrawer rows={data} list={list} />
        </Suspense>
      ) : null}
    </div>
  );
}
