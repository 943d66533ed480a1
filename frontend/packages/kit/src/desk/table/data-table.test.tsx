import { act, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';

import { renderDesk, useTexts } from '../test/render-desk.tsx';
import type { Column } from './columns.ts';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { nothingSelected, type Selection } from './selection.ts';
import { tableCodec, type TableState } from './table-state.ts';

useTexts();

interface Job {
  code: string;
  city: string;
  total: number;
}
const jobs: Job[] = [
  { code: 'A1', city: 'Verdun', total: 90 },
  { code: 'B2', city: 'Élie', total: 1200 },
  { code: 'C3', city: 'Laval', total: 300 },
  { code: 'D4', city: 'Anjou', total: 20 },
];
const columns: Column<Job>[] = [
  { key: 'code', title: 'Code', cell: (job) => job.code, main: true },
  { key: 'city', title: 'City', cell: (job) => job.city, sortable: true, sortValue: (job) => job.city },
  {
    key: 'total',
    title: 'Total',
    cell: (job) => job.total,
    numeric: true,
    sortable: true,
    sortValue: (job) => job.total,
  },
  { key: 'note', title: 'Note', cell: () => <button type="button">Note</button>, offAtFirst: true },
];
const codec = tableCodec({ columns });
const states: TableState[] = [];
const selections: Selection[] = [];
const opened = vi.fn();

function Table(props: Partial<DataTableProps<Job>> & { selectable?: boolean }) {
  const { selectable, ...rest } = props;
  const [state, setState] = useState(rest.state ?? codec.first);
  const [selection, setSelection] = useState(nothingSelected);
  return (
    <DataTable
      label="Jobs"
      columns={columns}
      rows={jobs}
      rowKey={(job) => job.code}
      rowName={(job) => `job ${job.code}`}
      renderLink={(job, content, link) => (
        <a
          href={`/jobs/${job.code}`}
          {...link}
          onClick={(event) => {
            event.preventDefault();
            opened(job.code, event.ctrlKey);
          }}
        >
          {content}
        </a>
      )}
      empty={<p>No jobs yet</p>}
      {...rest}
      state={state}
      onState={(next) => {
        states.push(next);
        setState(next);
      }}
      {...(selectable
        ? {
            selection: {
              value: selection,
              onChange: (next: Selection) => {
                selections.push(next);
                setSelection(next);
              },
            },
          }
        : {})}
    />
  );
}
const order = () => screen.getAllByRole('rowheader').map((cell) => cell.textContent);
const chosen = () => [...(selections.at(-1)?.keys ?? [])].sort();
const title = (name: string) => screen.getByRole('columnheader', { name });

it('orders upwards, downwards and not at all, and says so', async () => {
  const { user } = renderDesk(<Table />);
  expect(order()).toEqual(['A1', 'B2', 'C3', 'D4']);
  const city = within(title('City')).getByRole('button');
  await user.click(city);
  expect(title('City')).toHaveAttribute('aria-sort', 'ascending');
  // as the language orders: É among the E
  expect(order()).toEqual(['D4', 'B2', 'C3', 'A1']);
  await user.click(within(title('Total')).getByRole('button'));
  expect(title('City')).not.toHaveAttribute('aria-sort');
  expect(order()).toEqual(['D4', 'A1', 'C3', 'B2']);
  await user.click(within(title('Total')).getByRole('button'));
  expect(title('Total')).toHaveAttribute('aria-sort', 'descending');
  expect(order()).toEqual(['B2', 'C3', 'A1', 'D4']);
  await user.click(within(title('Total')).getByRole('button'));
  expect(title('Total')).not.toHaveAttribute('aria-sort');
  expect(order()).toEqual(['A1', 'B2', 'C3', 'D4']);
});

it('leaves the order to the server when it comes in pages, and begins at the first page again', async () => {
  states.length = 0;
  const { user } = renderDesk(<Table total={214} state={{ ...codec.first, page: 3 }} />);
  await user.click(within(title('Total')).getByRole('button'));
  expect(order()).toEqual(['A1', 'B2', 'C3', 'D4']);
  expect(states.at(-1)).toMatchObject({ sort: { by: 'total', descending: false }, page: 1 });
  expect(screen.getByRole('grid')).toHaveAttribute('aria-rowcount', '215');
  expect(screen.getByRole('row', { name: /B2/ })).toHaveAttribute('aria-rowindex', '3');
});

it('walks pages and says where it is', async () => {
  states.length = 0;
  const { user } = renderDesk(<Table total={120} />);
  expect(screen.getByText('1 to 50 of 120')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Previous page' })).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  expect(screen.getByText('101 to 120 of 120')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Next page' })).toBeDisabled();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Rows a page' }), '25');
  expect(states.at(-1)).toMatchObject({ perPage: 25, page: 1 });
});

it('selects one, a range with Shift, the page, and everything that matches', async () => {
  selections.length = 0;
  const { user } = renderDesk(<Table selectable total={214} bulkActions={<button type="button">Assign</button>} />);
  const box = (name: string) => within(screen.getByRole('grid')).getByRole('checkbox', { name });
  await user.click(box('Select job B2'));
  expect(screen.getByRole('row', { name: /B2/ })).toHaveAttribute('aria-selected', 'true');
  await user.keyboard('{Shift>}');
  await user.click(box('Select job D4'));
  await user.keyboard('{/Shift}');
  expect(chosen()).toEqual(['B2', 'C3', 'D4']);
  const all = box('Select all rows of this page');
  expect((all as HTMLInputElement).indeterminate).toBe(true);
  expect(screen.queryByText(/Select all 214/)).toBeNull();
  await user.click(all);
  expect(chosen()).toEqual(['A1', 'B2', 'C3', 'D4']);
  const bar = screen.getByRole('group', { name: 'Chosen rows' });
  await user.click(within(bar).getByRole('button', { name: 'Select all 214 that match' }));
  expect(selections.at(-1)?.allMatching).toBe(true);
  expect(within(bar).getByText('214 selected')).toBeVisible();
  expect(screen.getByTestId('announcer')).toHaveTextContent('214 selected');
  await user.click(within(bar).getByRole('button', { name: 'Clear selection' }));
  expect(screen.queryByRole('group', { name: 'Chosen rows' })).toBeNull();
});

it('is one tab stop, and every cell is reached with the arrows', async () => {
  const { user } = renderDesk(<Table selectable />);
  const grid = screen.getByRole('grid', { name: 'Jobs' });
  expect(grid.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
  const first = screen.getByRole('checkbox', { name: 'Select job A1' });
  act(() => first.focus());
  await user.keyboard('{ArrowRight}');
  expect(screen.getByRole('link', { name: 'A1' })).toHaveFocus();
  await user.keyboard('{ArrowDown}{ArrowRight}');
  expect(screen.getByRole('gridcell', { name: /Élie/ })).toHaveFocus();
  await user.keyboard('{End}');
  expect(screen.getByRole('gridcell', { name: /1200/ })).toHaveFocus();
  await user.keyboard('{Control>}{Home}{/Control}');
  expect(within(grid).getByRole('checkbox', { name: 'Select all rows of this page' })).toHaveFocus();
  await user.keyboard('{ArrowRight}{ArrowRight}');
  expect(within(title('City')).getByRole('button')).toHaveFocus();
  await user.keyboard('{Control>}{End}{/Control}');
  expect(screen.getByRole('gridcell', { name: /20$/ })).toHaveFocus();
  await user.keyboard('{Home}kk');
  expect(screen.getByRole('checkbox', { name: 'Select job B2' })).toHaveFocus();
  await user.keyboard('j');
  expect(screen.getByRole('checkbox', { name: 'Select job C3' })).toHaveFocus();
  expect(grid.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
  await user.tab();
  expect(grid).not.toContainElement(document.activeElement as HTMLElement);
});

it('selects with the keyboard: x, Shift and arrows, Ctrl and A, Escape', async () => {
  selections.length = 0;
  const { user } = renderDesk(<Table selectable />);
  act(() => screen.getByRole('link', { name: 'A1' }).focus());
  await user.keyboard('x');
  expect(chosen()).toEqual(['A1']);
  await user.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
  expect(chosen()).toEqual(['A1', 'B2', 'C3']);
  // going back leaves again what was passed
  await user.keyboard('{Shift>}{ArrowUp}{/Shift}');
  expect(chosen()).toEqual(['A1', 'B2']);
  await user.keyboard('{Control>}a{/Control}');
  expect(chosen()).toEqual(['A1', 'B2', 'C3', 'D4']);
  await user.keyboard('{Escape}');
  expect(chosen()).toEqual([]);
});

it('opens a row by its link, by Enter in any cell, and by a press beside it with the same keys held', async () => {
  opened.mockClear();
  const { user } = renderDesk(<Table openKey="C3" />);
  expect(screen.getByRole('link', { name: 'C3' })).toHaveAttribute('aria-current', 'true');
  expect(screen.getByRole('link', { name: 'B2' })).toHaveAttribute('href', '/jobs/B2');
  await user.click(screen.getByRole('gridcell', { name: /Élie/ }));
  expect(opened).toHaveBeenLastCalledWith('B2', false);
  fireEvent.click(screen.getByRole('gridcell', { name: /Laval/ }), { ctrlKey: true });
  expect(opened).toHaveBeenLastCalledWith('C3', true);
  act(() => screen.getByRole('gridcell', { name: /Anjou/ }).focus());
  await user.keyboard('{Enter}');
  expect(opened).toHaveBeenLastCalledWith('D4', false);
  opened.mockClear();
  act(() => within(title('City')).getByRole('button').focus());
  await user.keyboard('{Enter}');
  expect(opened).not.toHaveBeenCalled();
});

it('shows and hides columns but for the one that names the row', async () => {
  states.length = 0;
  const { user } = renderDesk(<Table />);
  expect(screen.queryByRole('columnheader', { name: 'Note' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'View' }));
  expect(await screen.findByRole('checkbox', { name: 'Code (always shown)' })).toBeDisabled();
  await user.click(screen.getByRole('checkbox', { name: 'City' }));
  await user.click(screen.getByRole('checkbox', { name: 'Note' }));
  expect(states.at(-1)?.columns).toEqual(['code', 'total', 'note']);
  expect(codec.write(states.at(-1) ?? codec.first)['columns']).toBe('code,total,note');
  await user.click(screen.getByRole('radio', { name: 'Roomy' }));
  expect(states.at(-1)?.rows).toBe('roomy');
  await user.click(screen.getByRole('button', { name: 'Back to the usual view' }));
  expect(states.at(-1)).toEqual(codec.first);
});

it('keeps its header in every state, and says each of them differently', async () => {
  const { again, user } = renderDesk(<Table rows={[]} />);
  expect(screen.getByText('No jobs yet')).toBeVisible();
  const onClear = vi.fn();
  again(<Table rows={[]} filtered={{ onClear }} />);
  expect(screen.queryByText('No jobs yet')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Clear all' }));
  expect(onClear).toHaveBeenCalledOnce();
  again(<Table rows={[]} status="loading" />);
  expect(screen.getByRole('grid')).toHaveAttribute('aria-busy', 'true');
  expect(screen.getAllByRole('status').map((one) => one.textContent)).toContain('Loading: Jobs');
  expect(screen.queryByText('No jobs yet')).toBeNull();
  const onRetry = vi.fn();
  const failure = { title: 'No list', failure: { status: 503, detail: '', requestId: 'r-9' }, onRetry };
  again(<Table rows={[]} failure={failure} />);
  expect(screen.getByRole('alert')).toHaveTextContent('r-9');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(onRetry).toHaveBeenCalledOnce();
  expect(title('Code')).toBeVisible();
  // what was there before stays beside the error
  again(<Table failure={failure} />);
  expect(screen.getByRole('alert')).toHaveTextContent('No list');
  expect(order()).toHaveLength(4);
});

it('says the name of every value, for the width where rows are cards', () => {
  renderDesk(<Table />);
  const row = screen.getByRole('row', { name: /A1/ });
  expect(within(row).getByText('City')).toBeInTheDocument();
  expect(within(row).getByText('Total')).toBeInTheDocument();
});

it('marks what has no value, so that a card leaves its name out too', () => {
  renderDesk(<Table rows={[{ code: 'A1', city: '', total: 0 }]} />);
  const row = screen.getByRole('row', { name: /A1/ }) as HTMLTableRowElement;
  expect([...row.cells].map((cell) => cell.dataset['empty'])).toEqual([undefined, 'true', undefined]);
});

it('gives free text a share of what the other columns leave, and no room of theirs', () => {
  const shared = columns.map((column) => (column.key === 'city' ? { ...column, share: 60, width: '90px' } : column));
  renderDesk(<Table columns={shared} />);
  const [code, city] = screen.getAllByRole('columnheader');
  expect([city?.style.width, city?.style.minWidth]).toEqual(['60%', '90px']);
  expect(code?.style.width).toBe('');
  const row = screen.getByText('Verdun').closest('tr') as HTMLTableRowElement;
  expect([...row.cells].map((cell) => cell.dataset['share'])).toEqual([undefined, 'true', undefined]);
});
