import { type DeskFilters, moveKinds, paymentMethods, paymentStates } from '@portage/api';
import type { Language } from '@portage/i18n';
import { type Day, daysOf } from '@portage/kit/desk/dates';
import type { FetchedOptions, Filter, FilterValue, FilterValues } from '@portage/kit/desk/filters';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useHubFilter } from '../../../shell/hubs.ts';
import { partnerNamesQuery } from '../parts/partner-names.ts';

export const statuses = ['pending', 'assigned', 'completed', 'invoiced', 'payed', 'cancelled', 'deleted'] as const;
const servedProvinces = ['QC', 'ON', 'BC', 'AB'] as const;
const soonHours = [24, 48, 72, 168] as const;

const isId = (text: string) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** The partners to choose from: fetched once somebody opens their filter, or the address names one. */
function usePartnerOptions(named: boolean) {
  const [opened, setOpened] = useState(false);
  const wanted = opened || named;
  const { data, isError, refetch } = useQuery({ ...partnerNamesQuery, enabled: wanted });
  return useMemo(() => {
    const state: FetchedOptions['state'] = data ? 'ready' : isError ? 'failed' : 'loading';
    return {
      options: (data ?? []).map(({ id, label }) => ({ value: id, label })),
      fetched: {
        state,
        fits: isId,
        onWanted: () => {
          setOpened(true);
          if (state === 'failed') void refetch();
        },
      },
    };
  }, [data, isError, refetch]);
}

/** The filters of the list, in the order in which they are offered. `partnerNamed`: the address names a partner. */
export function useBookingFilters(partnerNamed: boolean): readonly Filter[] {
  const { t } = useTranslation(['bookings', 'domain', 'address', 'shell']);
  const partners = usePartnerOptions(partnerNamed);
  const hubs = useHubFilter();
  return useMemo((): Filter[] => {
    const yesNo = (key: string, label: string): Filter => ({
      kind: 'choice',
      key,
      label,
      one: true,
      options: [
        { value: 'yes', label: t('filter.yes') },
        { value: 'no', label: t('filter.no') },
      ],
    });
    return [
      { kind: 'text', key: 'q', label: t('list.search'), placeholder: t('list.placeholder') },
      {
        kind: 'choice',
        key: 'status',
        label: t('shell:col.state'),
        options: statuses.map((value) => ({ value, label: t(`status.${value}`) })),
      },
      { kind: 'days', key: 'moves', label: t('filter.moves') },
      {
        kind: 'choice',
        key: 'hub',
        label: t('shell:hub.label'),
        one: true,
        ...hubs,
      },
      {
        kind: 'choice',
        key: 'payment',
        label: t('filter.payment'),
        options: paymentStates.map((value) => ({ value, label: t(`paid.${value}`) })),
      },
      {
        kind: 'choice',
        key: 'by',
        label: t('filter.method'),
        options: paymentMethods.map((value) => ({ value, label: t(`method.${value}`) })),
      },
      {
        kind: 'choice',
        key: 'crew',
        label: t('col.crew'),
        one: true,
        options: [
          { value: 'none', label: t('filter.crewNone') },
          { value: 'some', label: t('filter.crewSome') },
        ],
      },
      {
        kind: 'choice',
        key: 'soon',
        label: t('filter.soon'),
        one: true,
        options: soonHours.map((count) => ({ value: String(count), label: t('filter.soonHours', { count }) })),
      },
      {
        kind: 'choice',
        key: 'kind',
        label: t('filter.kind'),
        options: moveKinds.map((value) => ({ value, label: t(`domain:moveKind.${value}`) })),
      },
      {
        kind: 'choice',
        key: 'province',
        label: t('address:manual.province'),
        one: true,
        options: servedProvinces.map((value) => ({ value, label: t(`domain:province.${value}`) })),
      },
      { kind: 'choice', key: 'partner', label: t('shell:area.partners'), one: true, ...partners },
      { kind: 'days', key: 'booked', label: t('col.booked') },
      { kind: 'text', key: 'slot', label: t('filter.slot'), moment: true },
      { kind: 'numbers', key: 'mates', label: t('filter.mates'), min: 1, max: 20 },
      { kind: 'numbers', key: 'tier', label: t('filter.tier'), min: 1, max: 3 },
      {
        kind: 'numbers',
        key: 'distance',
        label: t('filter.distance'),
        unit: t('filter.km'),
        min: 0,
        max: 6000,
        step: 0.1,
      },
      {
        kind: 'numbers',
        key: 'duration',
        label: t('filter.duration'),
        unit: t('filter.hours'),
        min: 0,
        max: 200,
        step: 0.1,
      },
      yesNo('ride', t('filter.ride')),
      yesNo('just', t('filter.just')),
      yesNo('client', t('filter.client')),
    ];
  }, [t, partners, hubs]);
}

const flags = { ride: 'rideAlong', just: 'justMates', client: 'clientAsMate' } as const;
const ranges = {
  mates: ['mateCountMin', 'mateCountMax'],
  tier: ['tierMin', 'tierMax'],
  distance: ['distanceMin', 'distanceMax'],
  duration: ['durationMin', 'durationMax'],
} as const;
const spans = { moves: ['bookingDateFrom', 'bookingDateTo'], booked: ['createdFrom', 'createdTo'] } as const;
const lists = { status: 'status', payment: 'paymentState', by: 'payment', kind: 'moveKind' } as const;
const singles = { hub: 'hub', province: 'province', partner: 'partnerId' } as const;

type Named<Table> = keyof Table & string;
const has = <Table extends object>(table: Table, key: string): key is Named<Table> => key in table;

/** One filter as the call of the list takes it. */
function oneToApi(key: string, value: FilterValue, today: Day, language: Language): DeskFilters {
  if (value.kind === 'days' && has(spans, key)) {
    const { from, to } = daysOf(value.range, today, language);
    const [first, last] = spans[key];
    return { ...(from ? { [first]: from } : {}), ...(to ? { [last]: to } : {}) };
  }
  if (value.kind === 'numbers' && has(ranges, key)) {
    const [first, last] = ranges[key];
    const { from, to } = value.range;
    return { ...(from === undefined ? {} : { [first]: from }), ...(to === undefined ? {} : { [last]: to }) };
  }
  if (value.kind === 'text') return key === 'slot' ? { slot: value.text } : {};
  if (value.kind !== 'choice') return {};
  const [only = ''] = value.values;
  if (has(lists, key)) return { [lists[key]]: [...value.values] };
  if (has(singles, key)) return { [singles[key]]: only };
  if (has(flags, key)) return { [flags[key]]: only === 'yes' };
  if (key === 'crew') return { unassigned: only === 'none' };
  if (key === 'soon') return { withinHours: Number(only) };
  return {};
}

/** The filters as the calls of the list take them; what is searched for is not among them. */
export function filtersToApi(values: FilterValues, today: Day, language: Language): DeskFilters {
  return Object.assign(
    {},
    ...Object.entries(values).map(([key, value]) => oneToApi(key, value, today, language)),
  ) as DeskFilters;
}

/** What a saved view or a worklist holds, as parameters of the address. What this page has no filter for is left out. */
export function filtersFromApi(filters: DeskFilters): Record<string, string> {
  const found: Record<string, string> = {};
  const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
  const put = (key: string, value: string) => {
    if (value !== '' && value !== '..') found[key] = value;
  };
  for (const table of [ranges, spans])
    for (const [key, [first, last]] of Object.entries(table))
      put(key, `${text(filters[first])}..${text(filters[last])}`);
  for (const [key, name] of Object.entries(lists)) {
    const value = filters[name];
    put(key, Array.isArray(value) ? value.map(text).join() : text(value));
  }
  for (const [key, name] of Object.entries(singles)) put(key, text(filters[name]));
  for (const [key, name] of Object.entries(flags))
    if (typeof filters[name] === 'boolean') put(key, filters[name] ? 'yes' : 'no');
  if (typeof filters['unassigned'] === 'boolean') put('crew', filters['unassigned'] ? 'none' : 'some');
  put('soon', text(filters['withinHours']));
  put('slot', text(filters['slot']));
  const exact = text(filters['mateCount']);
  if (exact) put('mates', `${exact}..${exact}`);
  return found;
}

/** Whether a day is named in relation to today: a saved view can only keep dates. */
export function hasRelativeDays(values: FilterValues): boolean {
  return Object.values(values).some((value) => value.kind === 'days' && typeof value.range === 'string');
}
