import { moveKinds } from '@portage/api';
import { formatDayAndClock, formatWallTime, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

import { useMoney } from '../parts/use-money.ts';
import { valueText } from './stream.ts';
import { useShortDay } from './use-when.ts';

/** What an edit may change, by the names of the history, and the text that names it. */
const names = {
  assembly: 'record:edit.assembly',
  categories: 'record:edit.categories',
  clientAsMate: 'bookings:filter.client',
  comments: 'record:what.comments',
  customerEmail: 'record:edit.customerEmail',
  discountCode: 'record:edit.discountCode',
  dropoff: 'domain:end.dropoff',
  dropoffAccess: 'record:edit.dropoffAccess',
  extraServices: 'record:edit.extraServices',
  items: 'domain:furniture.title',
  justMates: 'bookings:filter.just',
  mateCount: 'bookings:filter.mates',
  moveAt: 'bookings:col.when',
  moveKind: 'bookings:col.kind',
  notes: 'record:part.notes',
  overtimeMinutes: 'record:overtime.given',
  pickup: 'domain:end.pickup',
  pickupAccess: 'record:edit.pickupAccess',
  rideAlong: 'bookings:filter.ride',
  rooms: 'record:edit.rooms',
  survey: 'record:edit.survey',
  total: 'bookings:col.total',
} as const;
const isKnown = (field: string): field is keyof typeof names => field in names;

const wallTime = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2})$/u;

/** One changed field in words, with before and after; what has many parts is only named. */
export function useEditText(): (field: string, before: unknown, after: unknown) => string {
  const { t } = useTranslation(['record', 'bookings', 'domain']);
  const language = useLanguage();
  const money = useMoney();
  const day = useShortDay();
  const shown = (field: string, value: unknown) => {
    if (typeof value === 'boolean') return value ? t('bookings:filter.yes') : t('bookings:filter.no');
    const text = valueText(value);
    if (field === 'total' && text !== '–') return money(text);
    const kind = field === 'moveKind' ? moveKinds.find((one) => one === text) : undefined;
    if (kind) return t(`domain:moveKind.${kind}`);
    const [, date = '', time = ''] = (field === 'moveAt' ? wallTime.exec(text) : null) ?? [];
    return date ? formatDayAndClock(day(date), formatWallTime(time, language), language) : text;
  };
  return (field, before, after) => {
    const name = isKnown(field) ? t(names[field]) : field;
    if ([before, after].some((value) => typeof value === 'object' && value !== null)) return name;
    return t('record:line.edited', { field: name, from: shown(field, before), to: shown(field, after) });
  };
}
