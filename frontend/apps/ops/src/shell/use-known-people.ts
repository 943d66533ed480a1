import { type DeskBooking, findBookings } from '@portage/api';
import { skipToken, useQuery } from '@tanstack/react-query';

import { searchLength } from './search-length.ts';
import { useSettled } from './use-settled.ts';

/** What somebody is looked for by. */
export type SoughtBy = 'phone' | 'email' | 'name';

/** A number and an address need four characters, else half of all customers fit. */
const least: Record<SoughtBy, number> = { phone: 4, email: 4, name: 2 };

const digits = (text: string) => text.replaceAll(/\D/g, '');

function fits(row: DeskBooking, by: SoughtBy, sought: string): boolean {
  if (by === 'name') return true;
  if (by === 'email') return row.customerEmail.toLowerCase().startsWith(sought.toLowerCase());
  return digits(row.customerPhone).includes(digits(sought).replace(/^1(?=\d{10}$)/, ''));
}

function isWhole(row: DeskBooking, by: SoughtBy, sought: string): boolean {
  if (by === 'name') return false;
  if (by === 'email') return row.customerEmail.toLowerCase() === sought.toLowerCase();
  return digits(sought).length >= 10 && digits(row.customerPhone).endsWith(digits(sought).slice(-10));
}

interface KnownPeople {
  /** A booking of each customer that fits, at most five. */
  people: DeskBooking[];
  /** The one customer whose whole number or address was typed. */
  alone: DeskBooking | null;
  /** What was typed has been looked for. */
  isDone: boolean;
  failed: boolean;
}

/** Customers we know by a telephone number, an address or a name, while it is typed; `by` is null when nobody is sought. */
export function useKnownPeople(by: SoughtBy | null, typed: string): KnownPeople {
  const text = typed.trim();
  const enough = by !== null && searchLength(by === 'phone' ? digits(text) : text) >= least[by];
  const wanted = enough ? { by, text } : null;
  const sought = useSettled(wanted);
  const found = useQuery({
    queryKey: ['desk', 'caller', sought?.by, sought?.text],
    queryFn: sought ? () => findBookings(sought.text, 20) : skipToken,
    staleTime: 30_000,
    meta: { personal: true },
  });
  const settled = sought !== null && wanted?.by === sought.by && wanted.text === sought.text;
  const rows = settled ? (found.data?.data ?? []).filter((row) => fits(row, sought.by, sought.text)) : [];
  // one line for each customer, however many moves they have
  const people = [...new Map(rows.map((row) => [row.customerId, row])).values()].slice(0, 5);
  const [only] = people;
  return {
    people,
    alone: settled && only && people.length === 1 && isWhole(only, sought.by, sought.text) ? only : null,
    isDone: settled && found.isSuccess,
    failed: found.isError,
  };
}
