import type { DeskBooking } from '@portage/api';
import { describe, expect, it } from 'vitest';

import { moneyBack } from './money.ts';

type Row = NonNullable<DeskBooking['payments']>[number];

const row = (change: Partial<Row>): Row =>
  ({ id: '1', kind: 'difference', state: 'settled', method: 'cash', amount: '100.00', ...change }) as Row;
const of = (netPaid: string, ...payments: Row[]) => moneyBack({ netPaid, payments } as DeskBooking);

describe('what went back', () => {
  it('counts a payment that was written down by mistake neither as taken nor as given back', () => {
    const mistake = [
      row({ state: 'refunded', amount: '25.00', neverCame: true }),
      row({ kind: 'refund', amount: '25.00', neverCame: true }),
    ];
    expect(of('100.00', row({}), ...mistake)).toBeNull();
    expect(of('0.00', row({ state: 'refunded' }), row({ kind: 'refund' }), ...mistake)).toEqual({
      back: '100.00',
      paid: '100.00',
      waits: null,
    });
  });

  it('says what of it somebody has to hand back', () => {
    const waits = row({ kind: 'refund', state: 'scheduled', amount: '60.00' });
    const card = row({ kind: 'refund', state: 'scheduled', amount: '40.00', method: 'card' });
    expect(of('0.00', row({}), waits, card)).toEqual({ back: '100.00', paid: '100.00', waits: '60.00' });
  });
});
