import type { AuditEntry } from '@portage/api';
import { startI18n } from '@portage/i18n';
import { render, screen } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';

import '../../texts.ts';
import { changedFields } from './change.ts';
import { Change } from './change.tsx';

beforeAll(async () => {
  await startI18n(['audit', 'domain']);
});

const entry = (before: object | null, after: object | null) => ({ before, after }) as AuditEntry;
const show = (before: object | null, after: object | null) => {
  const { container } = render(<Change entry={entry(before, after)} />);
  return container;
};

describe('what an entry changed', () => {
  it('is the fields that differ, without keys and counters', () => {
    const before = { id: 'a', version: 1, total: '100.00', mateCount: 2, discountCode: null };
    const after = { id: 'a', version: 2, total: '120.00', mateCount: 2, discountCode: '' };
    expect(changedFields(entry(before, after))).toEqual([{ field: 'total', before: '100.00', after: '120.00' }]);
  });

  it('is all that a new record holds', () => {
    expect(changedFields(entry(null, { email: 'a@b.ca', mateId: null }))).toEqual([
      { field: 'email', before: undefined, after: 'a@b.ca' },
    ]);
  });

  it('is told in words: money, status, time and duration', () => {
    const container = show(
      { status: 'pending', total: '775.51', moveAt: '2026-11-09T16:00:00Z', durationMinutes: 285 },
      { status: 'cancelled', total: '1775.51', moveAt: '2026-11-10T16:00:00Z', durationMinutes: 60 },
    );
    const text = container.textContent?.replaceAll('\u00A0', ' ') ?? '';
    expect(text).toContain('Confirmed, crew to come → Cancelled');
    expect(text).toContain('$775.51 → $1,775.51');
    expect(text).toContain('4 h 45 min → 1 h');
    expect(text).toMatch(/November 9, 2026.* → .*November 10, 2026/);
    expect(text).not.toMatch(/[{}"]|moveAt|durationMinutes/);
  });

  it('says for whom a booking was cancelled', () => {
    const told = show({ cancelledBy: null }, { cancelledBy: 'company' });
    expect(told).toHaveTextContent('Cancelled fornothing → the company');
  });

  it('says where a request stands and who answers it, not their codes and keys', () => {
    const actor = { id: '01a1', name: 'Olivia Singh' };
    const told = (takenBy: string) =>
      render(
        <Change
          entry={{ ...entry({ state: 'new', takenBy: null }, { state: 'answering', takenBy }), actor } as AuditEntry}
        />,
      ).container;
    expect(told('01a1')).toHaveTextContent('Where the request standsnew → being answered');
    expect(told('01a1')).toHaveTextContent('Who answers itnothing → Olivia Singh');
    expect(told('02b2')).toHaveTextContent('Who answers itnothing → a colleague');
  });

  it('names the crew, not its keys', () => {
    const container = show({ crew: [], mates: [] }, { crew: ['Amara Diallo', 'Wei Zhang'], mates: ['7', '8'] });
    expect(container).toHaveTextContent('Crew on the movenothing → Amara Diallo, Wei Zhang');
    expect(container).not.toHaveTextContent('7');
  });

  it('tells a payment in words, each part by its name', () => {
    const payment = { amount: '100.00', method: 'etransfer', reference: null };
    const told = show({ status: 'pending' }, { status: 'pending', payment });
    expect(told).toHaveTextContent('Payment written downnothing → Amount: $100.00, How: by e-transfer');
    expect(told).not.toHaveTextContent(/[{}"]/);
    const sent = { ...entry({ state: 'issued' }, { state: 'sent' }), subjectKind: 'invoice' } as AuditEntry;
    const { container } = render(<Change entry={sent} />);
    expect(container).toHaveTextContent('Where the invoice standsissued → sent out');
  });

  it('keeps a name it does not know, and says that nothing was kept', () => {
    expect(show({ moon: 1 }, { moon: 2 })).toHaveTextContent('moon1 → 2');
    show(null, null);
    expect(screen.getByText('nothing kept')).toBeVisible();
  });
});
