import { type DiscountCode, type DiscountTerms, moveKinds, provinces } from '@portage/api';
import { formatCents, parseCents } from '@portage/domain';
import * as z from 'zod/mini';

const required = 'common:form.required';
const mostPercent = 100_00;
const mostDollars = 100_000_00;

const isWhole = (text: string) => text === '' || (/^\d{1,7}$/.test(text) && Number(text) >= 1 && Number(text) <= 1e6);
const limit = z.string().check(z.trim(), z.refine(isWhole, { error: 'discounts:number.range' }));
const day = z.string();
const neededDay = day.check(z.minLength(1, required));

const within = (text: string, most: number) => {
  const cents = parseCents(text.replace('%', ''));
  return cents !== null && cents > 0 && cents <= most;
};
const inOrder = (from: string, until: string) => from === '' || until === '' || from <= until;

/** What staff write down about a code. Messages are text keys. */
export const discountSchema = z
  .object({
    code: z.string().check(
      z.trim(),
      z.minLength(1, required),
      z.maxLength(40, 'person:tooLong'),
      z.refine((code) => !/\s/.test(code), { error: 'discounts:code.oneWord' }),
    ),
    kind: z.enum(['percent', 'fixed']),
    value: z.string().check(z.trim(), z.minLength(1, required)),
    maxAmount: z.string().check(
      z.trim(),
      z.refine((text) => text === '' || within(text, mostDollars), { error: 'discounts:dollars.range' }),
    ),
    validFrom: neededDay,
    validUntil: neededDay,
    bookableFrom: day,
    bookableUntil: day,
    provinces: z.array(z.enum(provinces as [string, ...string[]])),
    kinds: z.array(z.enum(moveKinds as [string, ...string[]])),
    maxUses: limit,
    maxUsesPerCustomer: limit,
    firstBookingOnly: z.boolean(),
    disabled: z.boolean(),
  })
  .check(
    z.refine(({ kind, value }) => kind !== 'percent' || within(value, mostPercent), {
      error: 'discounts:percent.range',
      path: ['value'],
    }),
    z.refine(({ kind, value }) => kind !== 'fixed' || within(value, mostDollars), {
      error: 'discounts:dollars.range',
      path: ['value'],
    }),
    z.refine((one) => inOrder(one.validFrom, one.validUntil), { error: 'discounts:days.order', path: ['validUntil'] }),
    z.refine((one) => inOrder(one.bookableFrom, one.bookableUntil), {
      error: 'discounts:days.order',
      path: ['bookableUntil'],
    }),
    z.refine((one) => inOrder(one.bookableFrom, one.validUntil), {
      error: 'discounts:days.never',
      path: ['bookableFrom'],
    }),
  );
export type DiscountValues = z.infer<typeof discountSchema>;

/** "10.00" as one would type it. */
const plain = (amount: string | null | undefined) => (amount ?? '').replace(/\.00$/, '');

export function formOf(record: DiscountCode | null): DiscountValues {
  return {
    code: record?.code ?? '',
    kind: record?.kind ?? 'percent',
    value: plain(record?.value),
    maxAmount: plain(record?.maxAmount),
    validFrom: record?.validFrom ?? '',
    validUntil: record?.validUntil ?? '',
    bookableFrom: record?.bookableFrom ?? '',
    bookableUntil: record?.bookableUntil ?? '',
    provinces: record?.provinces ?? [],
    kinds: record?.kinds ?? [],
    maxUses: record?.maxUses ? String(record.maxUses) : '',
    maxUsesPerCustomer: record?.maxUsesPerCustomer ? String(record.maxUsesPerCustomer) : '',
    firstBookingOnly: record?.firstBookingOnly ?? false,
    disabled: record?.disabled ?? false,
  };
}

const amountOf = (text: string) => formatCents(parseCents(text.replace('%', '')) ?? 0);
const numberOf = (text: string) => (text === '' ? null : Number(text));

export function bodyOf(values: DiscountValues): DiscountTerms {
  return {
    code: values.code,
    kind: values.kind,
    value: amountOf(values.value),
    maxAmount: values.kind === 'percent' && values.maxAmount ? amountOf(values.maxAmount) : null,
    validFrom: values.validFrom,
    validUntil: values.validUntil,
    bookableFrom: values.bookableFrom || null,
    bookableUntil: values.bookableUntil || null,
    provinces: provinces.filter((one) => values.provinces.includes(one)),
    kinds: moveKinds.filter((one) => values.kinds.includes(one)),
    maxUses: numberOf(values.maxUses),
    maxUsesPerCustomer: numberOf(values.maxUsesPerCustomer),
    firstBookingOnly: values.firstBookingOnly,
    disabled: values.disabled,
  };
}
