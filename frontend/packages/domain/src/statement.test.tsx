import type { Statement } from '@portage/api';
import { startI18n } from '@portage/i18n';
import { render, screen } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';

import { StatementTable } from './statement.tsx';
import './texts.ts';

beforeAll(async () => {
  await startI18n(['domain', 'kit']);
});

const statement: Statement = {
  rows: [{ at: '2027-02-08T14:00:00Z', kind: 'price', text: 'Price agreed', amount: '574.88', balance: '574.88' }],
  balance: '574.88',
  zone: 'America/Montreal',
  currency: 'CAD',
  inQuestion: false,
};

it('says that an entry behind the account is being checked', () => {
  const { rerender } = render(<StatementTable statement={statement} />);
  expect(screen.queryByText(/is being checked/)).toBeNull();
  rerender(<StatementTable statement={{ ...statement, inQuestion: true }} />);
  expect(screen.getByText(/An entry of our books behind this statement is being checked/)).toBeVisible();
  expect(screen.getByText('Price agreed')).toBeVisible();
});

it('shows what lowers what is left to pay with a minus, and a tip as it is', () => {
  const row = (kind: Statement['rows'][number]['kind'], text: string, amount: string, balance: string) => ({
    ...statement.rows[0]!,
    kind,
    text,
    amount,
    balance,
  });
  const rows = [
    row('price', 'Price agreed', '574.88', '574.88'),
    row('deposit', 'Deposit', '114.98', '459.90'),
    row('refund', 'Money back', '14.98', '474.88'),
    row('tip', 'Tip', '20.00', '474.88'),
  ];
  render(<StatementTable statement={{ ...statement, rows, balance: '474.88' }} />);
  const sums = screen.getAllByRole('row').slice(1, 5);
  const shown = sums.map((one) => one.querySelectorAll('td')[1]?.textContent);
  expect(shown).toEqual(['$574.88', '−$114.98', '$14.98', '$20.00']);
});
