import { Popover } from '@mantine/core';
import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';

import { renderDesk, useTexts } from '../test/render-desk.tsx';
import { Drawer, type DrawerProps } from './drawer.tsx';

useTexts();

function Page(props: Partial<DrawerProps> & { first?: boolean }) {
  const { first = false, ...rest } = props;
  const [opened, setOpened] = useState(first);
  return (
    <>
      <button type="button" onClick={() => setOpened(true)}>
        Open
      </button>
      <button type="button">Row shown last</button>
      <Drawer opened={opened} onClose={() => setOpened(false)} title="Camille Roy" kicker="49GC9E" {...rest}>
        {rest.children ?? <input aria-label="Note" />}
      </Drawer>
    </>
  );
}

it('takes the focus, keeps it inside, and gives it back', async () => {
  const { user } = renderDesk(<Page footer={<button type="button">Save</button>} />);
  const open = screen.getByRole('button', { name: 'Open' });
  await user.click(open);
  const drawer = await screen.findByRole('dialog', { name: 'Camille Roy' });
  await waitFor(() => expect(screen.getByText('Camille Roy')).toHaveFocus());
  for (let presses = 0; presses < 8; presses += 1) {
    await user.tab();
    expect(drawer).toContainElement(document.activeElement as HTMLElement);
  }
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(open).toHaveFocus());
});

it('gives the focus to the row that was shown last, also when the address opened it', async () => {
  const { user } = renderDesk(<Page first returnFocusTo={() => screen.getByText('Row shown last')} />);
  await user.click(await screen.findByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.getByText('Row shown last')).toHaveFocus());
});

it('walks the list with j and k, but not while something is typed', async () => {
  const onNext = vi.fn();
  const onPrevious = vi.fn();
  const { user } = renderDesk(<Page first onNext={onNext} onPrevious={onPrevious} />);
  await waitFor(() => expect(screen.getByText('Camille Roy')).toHaveFocus());
  await user.keyboard('jk');
  expect([onNext.mock.calls.length, onPrevious.mock.calls.length]).toEqual([1, 1]);
  await user.type(screen.getByRole('textbox', { name: 'Note' }), 'jk');
  expect(screen.getByRole('textbox', { name: 'Note' })).toHaveValue('jk');
  expect([onNext.mock.calls.length, onPrevious.mock.calls.length]).toEqual([1, 1]);
  await user.click(screen.getByRole('button', { name: 'Next record (j)' }));
  expect(onNext).toHaveBeenCalledTimes(2);
});

it('says where the list ends', async () => {
  renderDesk(<Page first onNext={() => {}} />);
  expect(await screen.findByRole('button', { name: 'Previous record (k)' })).toBeDisabled();
});

it('stays open when Escape closes something over it', async () => {
  const { user } = renderDesk(
    <Page first>
      <Popover trapFocus>
        <Popover.Target>
          <button type="button">Days</button>
        </Popover.Target>
        <Popover.Dropdown>
          <button type="button">Today</button>
        </Popover.Dropdown>
      </Popover>
    </Page>,
  );
  await user.click(await screen.findByRole('button', { name: 'Days' }));
  const inner = await screen.findByRole('button', { name: 'Today' });
  await waitFor(() => expect(inner).toHaveFocus());
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Today' })).toBeNull());
  expect(screen.getByRole('dialog', { name: 'Camille Roy' })).toBeVisible();
});

it('leaves it to who opened it whether it closes', async () => {
  const onClose = vi.fn();
  const { user } = renderDesk(<Page first onClose={onClose} />);
  await waitFor(() => expect(screen.getByText('Camille Roy')).toHaveFocus());
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
  expect(screen.getByRole('dialog', { name: 'Camille Roy' })).toBeVisible();
});
