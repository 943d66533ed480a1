import type { PaymentPlan } from '@portage/api';
import { startI18n } from '@portage/i18n';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, describe, expect, it } from 'vitest';

import { PolicyTimeline } from './policy-timeline.tsx';
import { PriceBreakdown } from './price-breakdown.tsx';
import './texts.ts';

beforeAll(async () => {
  await startI18n(['domain']);
});

const rest = { quantity: '1', unit: 'flat', unitPrice: '0.00', multiplier: '1.00', period: 'base' };
const price = {
  amount: '350.10',
  tax: '52.43',
  total: '402.53',
  currency: 'CAD',
  discountCode: 'WELCOME10',
  lines: [
    { ...rest, type: 'regular', code: 'labour', description: '2 mates × 2 h 30', multiplier: '1.60', amount: '354.00' },
    { ...rest, type: 'other', code: 'truck_fee', description: '', amount: '35.00' },
    { ...rest, type: 'discount', code: 'WELCOME10', description: '', amount: '-38.90' },
  ],
  taxComponents: [
    { name: 'gst', rate: '0.05', amount: '17.51' },
    { name: 'qst', rate: '0.09975', amount: '34.92' },
  ],
} as const;

describe('PriceBreakdown', () => {
  it('has a line for each part and each tax, and never the combined rate', () => {
    const { container } = render(
      <PriceBreakdown
        price={{ ...price, lines: [...price.lines], taxComponents: [...price.taxComponents] }}
        tip="20.50"
      />,
    );
    const rows = [...container.querySelectorAll('dl > div')].map((row) => row.textContent);
    expect(rows).toHaveLength(9);
    expect(rows[2]).toMatch(/Discount.*WELCOME10.*−\$38\.90/);
    expect(rows.some((row) => row?.startsWith('GST') && row.includes('$17.51'))).toBe(true);
    expect(rows.some((row) => row?.startsWith('QST') && row.includes('$34.92'))).toBe(true);
    expect(rows.at(-1)).toBe('Total with taxes and tip$423.03');
    expect(container.textContent).not.toMatch(/14[.,]975|0\.14975/);
  });
});

describe('a line of the price', () => {
  it('is told in figures to a reader of another language', () => {
    const [labour, truck] = price.lines;
    const hours = {
      ...labour,
      quantity: '2.50',
      unit: 'hour',
      unitPrice: '118.00',
      multiplier: '1.20',
      dateFactor: '1.20',
    };
    const lines = [
      { ...hours, description: '2 aidants × 2 h 30', explanation: '2 h 30 × 118,00 $ …' },
      // more went into this one than its factors
      { ...hours, code: 'travel_fee', amount: '99.00', explanation: 'Minimum' },
      { ...truck, explanation: 'Prix unique' },
    ];
    const { container } = render(
      <PriceBreakdown price={{ ...price, dateLabel: 'Samedi', lines, taxComponents: [] }} figures={{ mates: 2 }} />,
    );
    expect(container).toHaveTextContent('2 mates × 2 h 30 min · × 1.2');
    expect(container).toHaveTextContent('2 h 30 min × $118.00 × 1.2 = $354.00');
    expect(container).not.toHaveTextContent(/aidants|Samedi|Prix|Minimum/);
  });

  it('says on a tap how its amount comes about', async () => {
    const user = userEvent.setup();
    const [labour, truck] = price.lines;
    const explanation = '2 h 30 × $118.00 per hour (2 mates) × 1.20 (Saturday +20 %) = $354.00.';
    const lines = [{ ...labour, explanation, dateFactor: '1.20', ownFactor: '1.00' }, { ...truck }];
    render(<PriceBreakdown price={{ ...price, dateLabel: 'Saturday', lines, taxComponents: [] }} />);
    const line = screen.getByRole('button', { name: /Loading, driving and unloading/ });
    expect(line).toHaveTextContent('Saturday');
    expect(line).toHaveAttribute('aria-expanded', 'false');
    expect(screen.getByText(explanation)).not.toBeVisible();
    await user.click(line);
    expect(screen.getByText(explanation)).toBeVisible();
    expect(line).toHaveAttribute('aria-expanded', 'true');
    // a booking of before has no sentence: its line is no button that opens nothing
    expect(screen.queryByRole('button', { name: /Truck/ })).toBeNull();
  });
});

describe('PolicyTimeline', () => {
  const plan: PaymentPlan = {
    mode: 'split',
    charges: [
      { kind: 'deposit', dueAt: '2027-02-05T14:00:00Z', amount: '114.98' },
      { kind: 'balance', dueAt: '2027-02-16T14:00:00Z', amount: '459.90' },
    ],
    cancellation: [
      { from: '2027-02-04T14:00:00Z', until: '2027-02-05T14:00:00Z', untilInclusive: true, kept: '0.00' },
      { from: '2027-02-05T14:00:00Z', until: '2027-02-16T14:00:00Z', untilInclusive: false, kept: '114.98' },
      { from: '2027-02-16T14:00:00Z', until: null, untilInclusive: false, kept: '574.88' },
    ],
    terms: ['deposit', 'balance', 'cancelFree', 'depositKept', 'lockRest', 'changes'],
    policy: {
      version: '1',
      deposit: '0.2',
      freeWindow: 24,
      lockWindow: 48,
      changeFee: '0.2',
      afterFree: '0.2',
      afterLock: '1',
      tipDelay: 24,
    },
    zone: 'America/Toronto',
  };

  it('dates every charge and every cancellation window of the booking', () => {
    render(<PolicyTimeline plan={plan} moveAt="2027-02-18T14:00:00Z" />);
    const line = within(screen.getByRole('list', { name: 'Charges and cancellation' }));
    expect(line.getAllByRole('listitem').map((item) => item.textContent?.replaceAll('\u00A0', ' '))).toEqual([
      'Booking made',
      'Deposit of $114.98February 5, 2027, 9:00 a.m.',
      'Balance of $459.90February 16, 2027, 9:00 a.m.',
      'Your move startsFebruary 18, 2027, 9:00 a.m.',
    ]);
    expect(screen.getByText('All times are Montreal time.')).toBeVisible();
    expect(screen.getByText('Cancel for free')).toBeVisible();
    expect(screen.getByText('If you cancel: $574.88 is kept')).toBeVisible();
  });

  it('tells the start of a move elsewhere in Montreal time and in the time of the pickup', () => {
    render(<PolicyTimeline plan={plan} moveAt="2027-02-18T16:00:00Z" promised="09:00" />);
    expect(screen.getByText('Your move starts').closest('li')?.textContent?.replaceAll('\u00A0', ' ')).toContain(
      'February 18, 2027, 9:00 a.m. at the pickup (11:00 a.m. in Montreal)',
    );
  });

  it('says that a move within 48 hours is charged at booking', () => {
    const charges = [{ kind: 'full', dueAt: '2027-02-17T14:00:00Z', amount: '574.88' }];
    render(
      <PolicyTimeline
        plan={{ ...plan, mode: 'full_at_once', charges, cancellation: plan.cancellation.slice(2) }}
        moveAt="2027-02-18T14:00:00Z"
      />,
    );
    expect(screen.getByText('Full amount of $574.88')).toBeVisible();
    expect(screen.getByText('charged when you book')).toBeVisible();
    expect(screen.queryByText('Cancel for free')).not.toBeInTheDocument();
  });
});
