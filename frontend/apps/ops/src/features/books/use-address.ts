import { useNavigate, useSearch } from '@tanstack/react-router';

import { deskToday } from '../../shell/company.ts';

const isDay = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/u.test(value);

/** Search parameters of the books, and how they are changed. Invalid ones are ignored. */
export function useAddress() {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const today = deskToday();
  const day = (key: string, otherwise: string) => (isDay(search[key]) ? search[key] : otherwise);
  return {
    part: typeof search['part'] === 'string' ? search['part'] : null,
    today,
    date: day('date', today),
    from: day('from', `${today.slice(0, 8)}01`),
    to: day('to', today),
    page: Math.max(1, Math.trunc(Number(search['page'])) || 1),
    set: (changes: Record<string, string | number>) =>
      void navigate({
        to: '.',
        search: ((before: Record<string, unknown>) => ({ ...before, ...changes })) as never,
        replace: true,
        resetScroll: false,
      }),
  };
}
