import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useCallback, useState } from 'react';
import { expect, it, vi } from 'vitest';

import { renderDesk, useTexts } from '../test/render-desk.tsx';
import { CommandPalette } from './command-palette.tsx';
import type { CommandGroup } from './commands.ts';
import { useRecent } from './recent.ts';
import { usePaletteKey } from './use-palette-key.ts';

useTexts();
const ran = vi.fn();
const command = (id: string, label: string, more = {}) => ({ id, label, onRun: () => ran(id), ...more });
const groups: CommandGroup[] = [
  { key: 'go', label: 'Go to', commands: [command('bookings', 'Bookings'), command('calendar', 'Calendar')] },
  {
    key: 'do',
    label: 'Do',
    commands: [command('new', 'New booking'), command('refund', 'Refund', { disabledReason: 'only an owner may' })],
  },
];

function Page({ onQuery }: { onQuery?: (query: string) => void }) {
  const [opened, setOpened] = useState(false);
  const [recent, remember] = useRecent('test.recent');
  usePaletteKey(useCallback(() => setOpened((now) => !now), []));
  return (
    <>
      <input aria-label="Note" />
      <CommandPalette
        opened={opened}
        onClose={() => setOpened(false)}
        groups={groups}
        recent={recent}
        onRan={remember}
        {...(onQuery ? { onQuery } : {})}
      />
    </>
  );
}
async function open(user: ReturnType<typeof renderDesk>['user'], keys = '{Control>}k{/Control}') {
  await user.keyboard(keys);
  const field = await screen.findByRole('combobox', { name: 'Go to or do' });
  await waitFor(() => expect(field).toHaveFocus());
  return field;
}
const options = () => screen.getAllByRole('option').map((one) => one.textContent);
const active = () => screen.getByRole('option', { selected: true });

it('opens with Ctrl or ⌘ and K, from a field too, and gives the focus back', async () => {
  const { user } = renderDesk(<Page />);
  const note = screen.getByRole('textbox', { name: 'Note' });
  await user.click(note);
  await open(user, '{Meta>}k{/Meta}');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
  await waitFor(() => expect(note).toHaveFocus());
  expect(note).toHaveValue('');
});

it('chooses with the arrows, round the ends, and runs with Enter', async () => {
  ran.mockClear();
  const { user } = renderDesk(<Page />);
  const field = await open(user);
  expect(options()).toHaveLength(4);
  expect(screen.getByRole('group', { name: 'Go to' })).toBeVisible();
  expect(active()).toHaveTextContent('Bookings');
  await user.keyboard('{ArrowUp}');
  expect(active()).toHaveTextContent('Refund');
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(active()).toHaveTextContent('Calendar');
  expect(field).toHaveAttribute('aria-activedescendant', active().id);
  await user.keyboard('{Enter}');
  expect(ran).toHaveBeenCalledExactlyOnceWith('calendar');
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
});

it('narrows while one types, marks what matched, and says how many there are', async () => {
  const onQuery = vi.fn();
  const { user } = renderDesk(<Page onQuery={onQuery} />);
  const field = await open(user);
  await user.type(field, 'book');
  expect(options()).toEqual(['Bookings', 'New booking']);
  expect(active().querySelector('mark')).toHaveTextContent('Book');
  expect(screen.getAllByRole('status').map((one) => one.textContent)).toContain('2 results');
  expect(onQuery).toHaveBeenLastCalledWith('book');
  await user.type(field, 'zzz');
  expect(screen.queryByRole('option')).toBeNull();
  expect(screen.getByText('Nothing fits “bookzzz”. Try fewer letters.')).toBeVisible();
  expect(field).not.toHaveAttribute('aria-activedescendant');
});

it('does not run on the Enter that ends a word of an input method', async () => {
  ran.mockClear();
  const { user } = renderDesk(<Page />);
  const field = await open(user);
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
  expect(ran).not.toHaveBeenCalled();
});

it('shows why a command cannot be run, and does not run it', async () => {
  ran.mockClear();
  const { user } = renderDesk(<Page />);
  const field = await open(user);
  await user.type(field, 'refund{Enter}');
  expect(ran).not.toHaveBeenCalled();
  expect(active()).toHaveAttribute('aria-disabled', 'true');
  expect(active()).toHaveTextContent('only an owner may');
});

it('remembers what was run last, by its id only', async () => {
  const { user } = renderDesk(<Page />);
  const field = await open(user);
  await user.type(field, 'new{Enter}');
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
  await open(user);
  expect(screen.getByRole('group', { name: 'Recent' })).toHaveTextContent('New booking');
  expect(options()).toEqual(['New booking', 'Bookings', 'Calendar', expect.stringContaining('Refund')]);
  expect(localStorage.getItem('test.recent')).toBe('["new"]');
});
