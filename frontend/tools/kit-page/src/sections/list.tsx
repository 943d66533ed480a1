import { formatNumber, useLanguage } from '@portage/i18n';
import { DeskButton } from '@portage/kit/desk/button';
import { daysOf } from '@portage/kit/desk/dates';
import { FilterBar, filterCodec, type FilterValues } from '@portage/kit/desk/filters';
import { NothingYet } from '@portage/kit/desk/states';
import { DataTable, nothingSelected, type Selection, tableCodec, type TableState } from '@portage/kit/desk/table';
import { showToast } from '@portage/kit/desk/toasts';
import { useState } from 'react';

import { setAddress, useAddress } from '../address.ts';
import { type Booking, bookings, today } from '../sample.ts';
import { useSay } from '../say.ts';
import { columnKeys, useBookingColumns } from './booking-columns.tsx';
import { BookingDrawer } from './booking-drawer.tsx';
import { useBookingFilters } from './use-booking-filters.ts';

const codec = tableCodec({ columns: columnKeys, sort: { by: 'when', descending: false }, perPage: [10, 25, 50] });

/** What a server would do. */
function answer(
  values: FilterValues,
  state: TableState,
  language: 'en' | 'fr' | 'zh',
): { rows: Booking[]; total: number } {
  const { q, status, hub, moves, mate, street } = values;
  const days = moves?.kind === 'days' ? daysOf(moves.range, today, language) : {};
  const has = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase());
  const fit = bookings.filter(
    (row) =>
      (q?.kind !== 'text' || [row.name, row.code, row.from, row.to].some((text) => has(text, q.text))) &&
      (street?.kind !== 'text' || has(row.from, street.text)) &&
      (status?.kind !== 'choice' || status.values.includes(row.state)) &&
      (hub?.kind !== 'choice' || hub.values.includes(row.hub)) &&
      (mate?.kind !== 'choice' || row.crew.some((name) => mate.values.includes(name.toLowerCase()))) &&
      (!days.from || row.day >= days.from) &&
      (!days.to || row.day <= days.to),
  );
  const by = (row: Booking) =>
    ({ total: Number(row.total), volume: row.volume, status: row.state, when: `${row.day} ${row.time}` })[
      state.sort?.by ?? 'when'
    ] ?? '';
  const sorted = fit.sort((a, b) => {
    const [x, y] = [by(a), by(b)];
    return (x < y ? -1 : x > y ? 1 : 0) * (state.sort?.descending ? -1 : 1);
  });
  const from = (state.page - 1) * state.perPage;
  return { rows: sorted.slice(from, from + state.perPage), total: fit.length };
}

/** A list as an app has it: filters, order, page, columns and the open record all stand in the address. */
export function List() {
  const say = useSay();
  const language = useLanguage();
  const address = useAddress();
  const columns = useBookingColumns();
  const filters = useBookingFilters();
  const inAddress = filterCodec(filters);
  const values = inAddress.read(address);
  const state = codec.read(address);
  const open = address['open'] ?? null;
  const [selection, setSelection] = useState<Selection>(nothingSelected);
  const { rows, total } = answer(values, state, language);
  const setFilters = (next: FilterValues, typed = false) =>
    setAddress({ ...inAddress.write(next), page: undefined }, typed);

  return (
    <>
      <DataTable
        label={say('Bookings', 'Réservations', '预订')}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.code}
        rowName={(row) => `${row.code} ${row.name}`}
        renderLink={(row, content, props) => (
          <a
            href={`?show=list&open=${row.code}`}
            {...props}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              setAddress({ open: row.code });
            }}
          >
            {content}
          </a>
        )}
        openKey={open}
        state={state}
        onState={(next) => setAddress(codec.write(next))}
        selection={{ value: selection, onChange: setSelection }}
        bulkActions={
          <DeskButton
            onClick={() => {
              setSelection(nothingSelected);
              showToast({
                text: say('Crew assigned', 'Équipe assignée', '已分派人员'),
                action: { label: say('Undo', 'Annuler', '撤销'), onAct: () => setSelection(selection) },
              });
            }}
          >
            {say('Assign crew', 'Assigner une équipe', '分派人员')}
          </DeskButton>
        }
        tools={
          <FilterBar
            filters={filters}
            values={values}
            onChange={setFilters}
            today={today}
            results={say(
              `${formatNumber(total, language)} bookings`,
              `${formatNumber(total, language)} réservations`,
              `${formatNumber(total, language)} 个预订`,
            )}
          />
        }
        total={total}
        pageSizes={[10, 25, 50]}
        height="calc(100dvh - 190px)"
        empty={<NothingYet title={say('No bookings yet', 'Aucune réservation', '还没有预订')} />}
        filtered={Object.keys(values).length > 0 ? { onClear: () => setFilters({}) } : null}
      />
      <BookingDrawer rows={rows} open={open} />
    </>
  );
}
