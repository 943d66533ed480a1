import type { DeskBooking } from '@portage/api';
import { centsOf, formatCents } from '@portage/domain';
import { useTranslation } from 'react-i18next';

import { useMoney } from '../parts/use-money.ts';

/** States of a charge whose money came in, wherever it went after. */
const taken = new Set(['captured', 'settled', 'refunded', 'partially_refunded', 'charged_back']);

/** Whether something is still to be paid; where the call does not say how much, by the state of the payments. */
export function owesMoney({ owed, paymentState }: DeskBooking): boolean {
  return owed ? centsOf(owed) > 0 : paymentState !== 'paid' && paymentState !== 'refunded';
}

/** How it is paid, or is to be; nothing where nothing was paid and nothing is owed. */
export function usePaidBy(booking: DeskBooking): string | null {
  const { t } = useTranslation('record');
  const way = booking.payment ?? 'card';
  if (owesMoney(booking)) return t(`toPayBy.${way}`);
  return booking.paymentState === 'none' ? null : t(`paidBy.${way}`);
}

/** What came of the price so far; nothing where the word of the state says all that is known. */
export function usePaidSoFar({ total, netPaid, paymentState }: DeskBooking): string | null {
  const { t } = useTranslation(['record', 'bookings']);
  const money = useMoney();
  const came = netPaid ? centsOf(netPaid) : 0;
  if (came > 0 && came < centsOf(total)) return t('record:headPaid.part', { amount: money(formatCents(came)) });
  if (paymentState === 'none' || paymentState === 'paid') return t(`record:headPaid.${paymentState}`);
  return paymentState === 'problem' ? null : t(`bookings:paid.${paymentState}`);
}

interface Back {
  back: string;
  paid: string;
  /** What of it waits to be handed back by somebody. */
  waits: string | null;
}

/** What went back of what was taken for the move, tips aside; null while nothing did. */
export function moneyBack({ payments, netPaid }: DeskBooking): Back | null {
  const came = (payments ?? []).filter(({ kind, state }) => kind !== 'tip' && kind !== 'refund' && taken.has(state));
  const takenOut = (payments ?? []).filter(({ kind, neverCame }) => kind === 'refund' && neverCame === true);
  const sum = (rows: { amount: string }[]) => rows.reduce((cents, { amount }) => cents + centsOf(amount), 0);
  const paid = sum(came) - sum(takenOut);
  const back = paid - centsOf(netPaid ?? formatCents(paid));
  const waiting = (payments ?? []).filter(
    ({ kind, state, method }) => kind === 'refund' && state === 'scheduled' && method !== 'card',
  );
  const waits = waiting.length > 0 ? formatCents(sum(waiting)) : null;
  return back > 0 ? { back: formatCents(back), paid: formatCents(paid), waits } : null;
}
