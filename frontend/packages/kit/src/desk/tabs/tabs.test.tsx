import { act, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';

import { renderDesk, useTexts } from '../test/render-desk.tsx';
import { tabOf, Tabs } from './tabs.tsx';

useTexts();
const tabs = [
  { key: 'today', label: 'Today', count: 14 },
  { key: 'payment', label: 'Payment problem', count: 2, urgent: true },
  { key: 'all', label: 'All' },
] as const;
const changed = vi.fn();

function View({ first, manual = false }: { first?: string; manual?: boolean }) {
  const [value, setValue] = useState<string | undefined>(first);
  return (
    <Tabs
      label="Views"
      tabs={tabs}
      value={value}
      manual={manual}
      onChange={(key) => {
        changed(key);
        setValue(key);
      }}
    >
      {(key) => <p>rows of {key}</p>}
    </Tabs>
  );
}
const tab = (name: string) => screen.getByRole('tab', { name });

it('ties each tab to its panel, and draws only the one that is shown', () => {
  renderDesk(<View first="payment" />);
  const chosen = tab('Payment problem 2 waiting');
  expect(chosen).toHaveAttribute('aria-selected', 'true');
  const panel = screen.getByRole('tabpanel', { name: /Payment problem/ });
  expect(chosen).toHaveAttribute('aria-controls', panel.id);
  expect(panel).toHaveTextContent('rows of payment');
  expect(screen.queryByText('rows of today')).toBeNull();
  expect(screen.getByRole('tablist', { name: 'Views' })).toBeVisible();
});

it('is one tab stop with arrows, Home and End', async () => {
  changed.mockClear();
  const { user } = renderDesk(<View />);
  await user.tab();
  expect(tab('Today 14 waiting')).toHaveFocus();
  await user.keyboard('{ArrowRight}');
  expect(changed).toHaveBeenLastCalledWith('payment');
  await user.keyboard('{End}');
  expect(tab('All')).toHaveFocus();
  await user.keyboard('{ArrowRight}');
  expect(tab('Today 14 waiting')).toHaveFocus();
  await user.keyboard('{ArrowLeft}{Home}');
  expect(tab('Today 14 waiting')).toHaveFocus();
  await user.tab();
  expect(screen.getByRole('tabpanel')).toHaveFocus();
});

it('opens only on Enter when its panels are slow', async () => {
  changed.mockClear();
  const { user } = renderDesk(<View manual />);
  act(() => tab('Today 14 waiting').focus());
  await user.keyboard('{ArrowRight}');
  expect(tab('Payment problem 2 waiting')).toHaveFocus();
  expect(changed).not.toHaveBeenCalled();
  await user.keyboard('{Enter}');
  expect(changed).toHaveBeenLastCalledWith('payment');
});

it('takes the first for whatever the address says wrongly', () => {
  expect(tabOf(tabs, 'evil')).toBe('today');
  expect(tabOf(tabs, 7)).toBe('today');
  expect(tabOf([], 'today')).toBeUndefined();
  renderDesk(<View first="evil" />);
  expect(tab('Today 14 waiting')).toHaveAttribute('aria-selected', 'true');
});
