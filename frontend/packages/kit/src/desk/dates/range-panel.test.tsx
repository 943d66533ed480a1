import { changeLanguage } from '@portage/i18n';
import { act, fireEvent, screen, within, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';

import { stubOtherDates } from '../../../../../test/other-dates.ts';
import { renderDesk, useTexts } from '../test/render-desk.tsx';
import type { DateRange } from './range.ts';
import { RangeField } from './range-field.tsx';
import { RangePanel } from './range-panel.tsx';

useTexts();
const today = '2027-06-24';
const changed = vi.fn();

function Panel({ first = null, ...rest }: { first?: DateRange | null; min?: string; max?: string }) {
  const [value, setValue] = useState(first);
  return (
    <RangePanel
      value={value}
      onChange={(range) => {
        setValue(range);
        changed(range);
      }}
      today={today}
      {...rest}
    />
  );
}

it('is one tab stop with the keys of a calendar, and picks both ends', async () => {
  const { user } = renderDesk(<Panel />);
  const day = (name: string) => screen.getByRole('button', { name });
  act(() => day('Thursday, June 24, 2027').focus());
  expect(day('Thursday, June 24, 2027')).toHaveAttribute('aria-current', 'date');
  const grid = screen.getByRole('grid', { name: 'June 2027' });
  expect([...grid.querySelectorAll('button')].filter((one) => one.tabIndex === 0)).toHaveLength(1);

  await user.keyboard('{ArrowRight}{ArrowDown}');
  expect(day('Friday, July 2, 2027')).toHaveFocus();
  await user.keyboard('{Home}');
  expect(day('Sunday, June 27, 2027')).toHaveFocus();
  await user.keyboard('{PageDown}');
  expect(day('Tuesday, July 27, 2027')).toHaveFocus();
  await user.keyboard('{Shift>}{PageUp}{/Shift}');
  expect(day('Monday, July 27, 2026')).toHaveFocus();
  await user.keyboard('{Shift>}{PageDown}{/Shift}{PageUp}');
  await user.keyboard('{Enter}');
  expect(changed).not.toHaveBeenCalled();
  // shown, and said aloud
  await waitFor(() => expect(screen.getAllByText('From Jun 27. Now choose the last day.')).toHaveLength(2));
  await user.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}{Enter}');
  // the ends are put in order
  expect(changed).toHaveBeenLastCalledWith({ from: '2027-06-24', to: '2027-06-27' });
  expect(day('Thursday, June 24, 2027, first day')).toBeVisible();
  expect(day('Sunday, June 27, 2027, last day')).toBeVisible();
  expect(screen.getByRole('grid').querySelectorAll('[aria-selected="true"]')).toHaveLength(4);
});

it('keeps to the days that can be had, and says which cannot', async () => {
  changed.mockClear();
  const { user } = renderDesk(<Panel min="2027-06-20" max="2027-06-28" />);
  act(() => screen.getByRole('button', { name: /June 24/ }).focus());
  await user.keyboard('{PageDown}');
  expect(screen.getByRole('button', { name: /June 28/ })).toHaveFocus();
  const beyond = screen.getByRole('button', { name: 'Tuesday, June 29, 2027, not available' });
  await user.click(beyond);
  await user.click(beyond);
  expect(changed).not.toHaveBeenCalled();
});

it('gives a preset as its name', async () => {
  changed.mockClear();
  const { user } = renderDesk(<Panel />);
  await user.click(screen.getByRole('button', { name: 'This month' }));
  expect(changed).toHaveBeenLastCalledWith('thisMonth');
  expect(screen.getByRole('button', { name: 'This month' })).toHaveAttribute('aria-pressed', 'true');
  expect(screen.getByLabelText('First day')).toHaveValue('2027-06-01');
});

it('takes a typed day once its year is whole, and takes the other end along', () => {
  changed.mockClear();
  renderDesk(<Panel first={{ from: '2027-06-20', to: '2027-06-24' }} />);
  const first = screen.getByLabelText('First day');
  fireEvent.change(first, { target: { value: '0002-06-30' } });
  expect(changed).not.toHaveBeenCalled();
  fireEvent.change(first, { target: { value: '2027-06-30' } });
  expect(changed).toHaveBeenLastCalledWith({ from: '2027-06-30', to: '2027-06-30' });
  fireEvent.change(first, { target: { value: '' } });
  expect(changed).toHaveBeenLastCalledWith({ to: '2027-06-30' });
});

it('numbers days by arithmetic, whatever an engine prints', async () => {
  const back = stubOtherDates();
  try {
    renderDesk(<Panel />);
    const grid = screen.getByRole('grid');
    const numbers = [...grid.querySelectorAll('button')].map((one) => one.textContent);
    expect(numbers).toEqual(Array.from({ length: 30 }, (_, index) => String(index + 1)));
  } finally {
    back();
  }
});

it('begins the week on Monday in Chinese', async () => {
  await act(() => changeLanguage('zh'));
  renderDesk(<Panel />);
  const titles = within(screen.getByRole('grid')).getAllByRole('columnheader');
  expect(titles[0]).toHaveAttribute('abbr', '星期一');
});

it('opens from a button that says the range, closes with both ends, and gives the focus back', async () => {
  const onChange = vi.fn();
  const { user } = renderDesk(<RangeField label="Moves" value="today" onChange={onChange} today={today} />);
  const button = screen.getByRole('button', { name: 'Moves: Today' });
  await user.click(button);
  await user.click(await screen.findByRole('button', { name: 'Next 7 days' }));
  expect(onChange).toHaveBeenLastCalledWith('next7');
  expect(screen.queryByRole('grid')).toBeNull();
  await vi.waitFor(() => expect(button).toHaveFocus());
});
