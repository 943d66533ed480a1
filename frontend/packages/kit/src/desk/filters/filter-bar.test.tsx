import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';

import { renderDesk, useTexts } from '../test/render-desk.tsx';
import { FilterBar } from './filter-bar.tsx';
import type { Filter, FilterValues } from './filters.ts';

useTexts();

const options = (...values: string[]) => values.map((value) => ({ value, label: value }));
const filters: Filter[] = [
  { kind: 'text', key: 'q', label: 'Search jobs' },
  { kind: 'choice', key: 'status', label: 'Status', options: options('Pending', 'Assigned', 'Done', 'Problem') },
  { kind: 'choice', key: 'hub', label: 'Hub', one: true, options: options('Montréal', 'Laval') },
  { kind: 'days', key: 'moves', label: 'Moves' },
  { kind: 'text', key: 'street', label: 'Street' },
  {
    kind: 'choice',
    key: 'mate',
    label: 'Mate',
    options: options('Ali', 'Élodie', 'Jules', 'Léa', 'Marc', 'Mei', 'Noor', 'Sofia', 'Tariq'),
  },
];
const changed = vi.fn();

function Bar({ first = {} }: { first?: FilterValues }) {
  const [values, setValues] = useState(first);
  return (
    <>
      <input aria-label="Elsewhere" />
      <FilterBar
        filters={filters}
        values={values}
        onChange={(next, typed) => {
          changed(next, typed);
          setValues(next);
        }}
        today="2027-06-24"
        results={`${Object.keys(values).length} set`}
      />
    </>
  );
}
const latest = () => changed.mock.lastCall?.[0] as FilterValues;

it('does not search for somebody who has gone on to another page before typing rested', async () => {
  changed.mockClear();
  const before = window.location.pathname;
  const { user } = renderDesk(<Bar />);
  await user.type(screen.getByRole('searchbox', { name: 'Search jobs' }), 'roy');
  // as a router does it: the address is new at once, the list stays until the page has come
  window.history.pushState(null, '', '/bookings/of-roy');
  await act(() => new Promise((rested) => setTimeout(rested, 400)));
  window.history.replaceState(null, '', before);
  expect(changed).not.toHaveBeenCalled();
});

it('searches when typing rests, at once on Enter, and says that it was typed', async () => {
  changed.mockClear();
  const { user } = renderDesk(<Bar />);
  const box = screen.getByRole('searchbox', { name: 'Search jobs' });
  await user.type(box, 'roy');
  expect(changed).not.toHaveBeenCalled();
  expect(box).toHaveValue('roy');
  await vi.waitFor(() => expect(latest()).toEqual({ q: { kind: 'text', text: 'roy' } }));
  expect(changed).toHaveBeenCalledOnce();
  expect(changed.mock.lastCall?.[1]).toBe(true);
  await user.type(box, ' c{Enter}');
  expect(latest()).toEqual({ q: { kind: 'text', text: 'roy c' } });
  await user.click(screen.getByRole('button', { name: 'Clear the search' }));
  expect(latest()).toEqual({});
  expect(box).toHaveFocus();
});

it('does not take the Enter that ends a word of an input method', () => {
  changed.mockClear();
  renderDesk(<Bar />);
  const box = screen.getByRole('searchbox');
  fireEvent.change(box, { target: { value: '预' } });
  fireEvent.keyDown(box, { key: 'Enter', isComposing: true });
  expect(changed).not.toHaveBeenCalled();
});

it('is reached by / except while something is typed', async () => {
  const { user } = renderDesk(<Bar />);
  await user.keyboard('/');
  expect(screen.getByRole('searchbox')).toHaveFocus();
  await user.click(screen.getByRole('textbox', { name: 'Elsewhere' }));
  await user.keyboard('/');
  expect(screen.getByRole('textbox', { name: 'Elsewhere' })).toHaveValue('/');
});

it('adds a filter by the keyboard: its name, then its values', async () => {
  changed.mockClear();
  const { user } = renderDesk(<Bar />);
  act(() => screen.getByRole('button', { name: 'Filter' }).focus());
  await user.keyboard('{Enter}');
  const status = await screen.findByRole('button', { name: 'Status' });
  await vi.waitFor(() => expect(status).toHaveFocus());
  await user.keyboard('{ArrowDown}{ArrowUp}{Enter}');
  await vi.waitFor(() => expect(screen.getByRole('checkbox', { name: 'Pending' })).toHaveFocus());
  await user.keyboard(' ');
  await user.click(screen.getByRole('checkbox', { name: 'Done' }));
  expect(latest()).toEqual({ status: { kind: 'choice', values: ['Pending', 'Done'] } });
  expect(screen.getByRole('button', { name: 'Status: Pending or Done' })).toBeVisible();
  await user.keyboard('{Escape}');
  await vi.waitFor(() => expect(screen.getByRole('button', { name: 'Filter' })).toHaveFocus());
  await user.click(screen.getByRole('button', { name: 'Filter' }));
  // what is set is changed at its chip
  expect(screen.queryByRole('button', { name: 'Status' })).toBeNull();
});

it('changes a filter at its chip', async () => {
  changed.mockClear();
  const { user } = renderDesk(<Bar first={{ hub: { kind: 'choice', values: ['Laval'] } }} />);
  await user.click(screen.getByRole('button', { name: 'Hub: Laval' }));
  await user.click(await screen.findByRole('radio', { name: 'Montréal' }));
  expect(latest()).toEqual({ hub: { kind: 'choice', values: ['Montréal'] } });
});

it('narrows long lists without accents', async () => {
  const { user } = renderDesk(<Bar />);
  await user.click(screen.getByRole('button', { name: 'Filter' }));
  await user.click(await screen.findByRole('button', { name: 'Mate' }));
  await user.type(screen.getByRole('textbox', { name: 'Find in: Mate' }), 'elo');
  expect(screen.getAllByRole('checkbox').map((box) => (box as HTMLInputElement).labels?.[0]?.textContent)).toEqual([
    'Élodie',
  ]);
  await user.type(screen.getByRole('textbox', { name: 'Find in: Mate' }), 'x');
  expect(screen.getByText('None of that name')).toBeVisible();
});

it('takes a text filter on Apply', async () => {
  changed.mockClear();
  const { user } = renderDesk(<Bar />);
  await user.click(screen.getByRole('button', { name: 'Filter' }));
  await user.click(await screen.findByRole('button', { name: 'Street' }));
  await user.type(screen.getByRole('textbox', { name: 'Street' }), ' Jeanne-Mance {Enter}');
  expect(latest()).toEqual({ street: { kind: 'text', text: 'Jeanne-Mance' } });
});

it('removes chips one by one, with the focus going on, and all at once', async () => {
  changed.mockClear();
  const { user } = renderDesk(
    <Bar
      first={{
        q: { kind: 'text', text: 'roy' },
        status: { kind: 'choice', values: ['Pending', 'Done', 'Problem'] },
        hub: { kind: 'choice', values: ['Laval'] },
        moves: { kind: 'days', range: { from: '2027-06-20', to: '2027-07-05' } },
      }}
    />,
  );
  expect(screen.getByRole('button', { name: 'Moves: Jun 20 – Jul 5' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Remove the filter Status: Pending and 2 more' }));
  await vi.waitFor(() => expect(screen.getByRole('button', { name: 'Remove the filter Hub: Laval' })).toHaveFocus());
  act(() => screen.getByRole('button', { name: 'Hub: Laval' }).focus());
  await user.keyboard('{Delete}');
  expect(Object.keys(latest())).toEqual(['q', 'moves']);
  expect(screen.getAllByRole('status').map((one) => one.textContent)).toContain('2 set');
  await user.click(screen.getByRole('button', { name: 'Clear all' }));
  expect(latest()).toEqual({});
  expect(screen.getByRole('searchbox')).toHaveValue('');
  await vi.waitFor(() => expect(screen.getByRole('searchbox')).toHaveFocus());
});

it('leads from the search line to the rows by the arrow down, and by Enter once they are what was asked for', async () => {
  changed.mockClear();
  const { user } = renderDesk(
    <>
      <Bar />
      <table>
        <tbody>
          <tr data-grid-row="1">
            <td>
              <a data-row-link href="#first">
                First row
              </a>
            </td>
          </tr>
        </tbody>
      </table>
    </>,
  );
  const field = screen.getByRole('searchbox');
  await user.type(field, 'roy{Enter}');
  expect(latest()).toEqual({ q: { kind: 'text', text: 'roy' } });
  expect(field).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(screen.getByRole('link', { name: 'First row' })).toHaveFocus();
  act(() => field.focus());
  await user.keyboard('{ArrowDown}');
  expect(screen.getByRole('link', { name: 'First row' })).toHaveFocus();
});

it('empties the search line by Escape, and leaves it by a second one', async () => {
  changed.mockClear();
  const { user } = renderDesk(<Bar first={{ q: { kind: 'text', text: 'roy' } }} />);
  const field = screen.getByRole('searchbox');
  await user.click(field);
  await user.keyboard('{Escape}');
  expect(field).toHaveValue('');
  expect(latest()).toEqual({});
  expect(field).toHaveFocus();
  await user.keyboard('{Escape}');
  expect(field).not.toHaveFocus();
});
