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
