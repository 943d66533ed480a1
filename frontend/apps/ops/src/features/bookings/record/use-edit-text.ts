import { extraServices, moveKinds } from '@portage/api';
import { placeCategories, useAccessFacts } from '@portage/domain';
import { catalogueQuery } from '@portage/furniture';
import { formatDayAndClock, formatItems, formatName, formatWallTime, useLanguage } from '@portage/i18n';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { useMoney } from '../parts/use-money.ts';
import { changedPieces, isObject, valueText } from './stream.ts';
import { useShortDay } from './use-when.ts';

/** What an edit may change, by the names of the history, and the text that names it. */
const names = {
  assembly: 'record:edit.assembly',
  categories: 'record:edit.categories',
  clientAsMate: 'bookings:filter.client',
  comments: 'record:what.comments',
  crew: 'bookings:col.crew',
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
const roomKinds = ['bedrooms', 'bathrooms', 'rooms', 'stairs', 'elevators'] as const;
const surveySources = ['advertisements', 'friendsFamily', 'socialMedia', 'partners', 'other'] as const;
const carries = ['easy', 'moderate', 'difficult'] as const;

/** What has several parts, in words; null where this page does not know the form. */
function useParts(): (field: string, value: unknown) => string | null {
  const { t } = useTranslation(['record', 'domain']);
  const language = useLanguage();
  const facts = useAccessFacts();
  const catalogue = useQuery(catalogueQuery);
  const itemName = (id: string) => catalogue.data?.data.find((one) => one.id === id)?.name[language] ?? id;
  const row = (parts: readonly string[]) => (parts.length === 0 ? valueText(null) : formatItems(parts, language));
  const ofList = (field: string, list: readonly unknown[]) => {
    if (field === 'items')
      return row(
        list.flatMap((one) =>
          isObject(one) ? [t('edit.pieces', { n: Number(one['quantity']), item: itemName(valueText(one['id'])) })] : [],
        ),
      );
    if (field === 'pickupAccess' || field === 'dropoffAccess') {
      const [floor, elevator, parking, accessibility] = list;
      const carry = carries.find((one) => one === accessibility);
      const known = facts({ floor: Number(floor), elevator: Number(elevator), parking: parking === true });
      return row(carry ? [...known, t(`domain:access.carry.${carry}`)] : known);
    }
    if (field === 'categories')
      return row(
        list.map((code) => {
          const known = placeCategories.find((one) => one === code);
          return known ? t(`domain:category.${known}`) : valueText(code);
        }),
      );
    if (field === 'extraServices')
      return row(
        list.map((code) => {
          const known = extraServices.find((one) => one === code);
          return known ? t(`domain:lineCode.${known}`) : valueText(code);
        }),
      );
    if (field === 'crew') return row(list.map((name) => formatName(valueText(name))));
    return null;
  };
  return (field, value) => {
    if (Array.isArray(value)) return ofList(field, value);
    if (!isObject(value)) return null;
    if (field === 'rooms')
      return row(
        roomKinds.filter((kind) => Number(value[kind]) > 0).map((kind) => t(`edit.room.${kind}`, { n: value[kind] })),
      );
    if (field === 'survey') {
      const source = surveySources.find((one) => one === value['source']);
      const told = source ? t(`survey.${source}`) : valueText(value['source']);
      return row(value['specify'] ? [told, valueText(value['specify'])] : [told]);
    }
    return null;
  };
}

/** One changed field in words, with before and after; of the items only those that changed. */
export function useEditText(): (field: string, before: unknown, after: unknown) => string {
  const { t } = useTranslation(['record', 'bookings', 'domain']);
  const language = useLanguage();
  const money = useMoney();
  const day = useShortDay();
  const parts = useParts();
  const shown = (field: string, value: unknown): string | null => {
    if (typeof value === 'object' && value !== null) return parts(field, value);
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
    const [was, is] = field === 'items' ? changedPieces(before, after) : [before, after];
    const [from, to] = [shown(field, was), shown(field, is)];
    // What a newer server writes in a form of its own is named at least.
    return from === null || to === null ? name : t('record:line.edited', { field: name, from, to });
  };
}
