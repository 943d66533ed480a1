import { type Mate, type MateForm, mateStates } from '@portage/api';
import { formatCents, parseCents } from '@portage/domain';
import { type Language, languages } from '@portage/i18n';
import { phoneRule } from '@portage/person';
import * as z from 'zod/mini';

import { addressBody, addressForm, wholeAddressOrNone } from '../../shell/catalogue/address-fields.tsx';
import { isGst, isNeq, isQst } from '../../shell/numbers.ts';

const required = 'common:form.required';
const tooLong = 'person:tooLong';
const mostPay = 10_000_00;
/** So many papers of one mate are kept. */
export const mostPapers = 30;

const number = (fits: (text: string) => boolean, error: string) =>
  z.string().check(
    z.trim(),
    z.refine((text) => text === '' || fits(text), { error }),
  );

/** What staff write down about a mate. Messages are text keys. */
export const mateSchema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, required), z.maxLength(100, tooLong)),
  phone: phoneRule,
  email: z.string().check(
    z.trim(),
    z.refine((text) => text === '' || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text), { error: 'common:form.invalid' }),
    z.maxLength(254, tooLong),
  ),
  address: wholeAddressOrNone,
  neq: number(isNeq, 'catalogue:number.neq.wrong'),
  tps: number(isGst, 'catalogue:number.tps.wrong'),
  tvq: number(isQst, 'catalogue:number.tvq.wrong'),
  skills: z.array(z.string()),
  languages: z.array(z.string()),
  hubs: z.array(z.string()),
  documents: z.array(
    z.object({
      kind: z.string().check(z.trim(), z.minLength(1, required), z.maxLength(60, tooLong)),
      number: z.string().check(z.trim(), z.maxLength(60, tooLong)),
      expiresOn: z.string().check(z.minLength(1, required)),
    }),
  ),
  payRate: z.string().check(
    z.trim(),
    z.refine(
      (text) => {
        const cents = parseCents(text);
        return text === '' || (cents !== null && cents >= 0 && cents <= mostPay);
      },
      { error: 'mates:pay.wrong' },
    ),
  ),
  state: z.enum(mateStates as [Mate['state'], ...Mate['state'][]]),
});
export type MateValues = z.infer<typeof mateSchema>;

export const blankPaper: MateValues['documents'][number] = { kind: '', number: '', expiresOn: '' };

/** The form of a mate; the kind of a paper stands in it in words of the language on screen. */
export function formOf(mate: Mate | null, kindLabel: (kind: string) => string): MateValues {
  return {
    name: mate?.name ?? '',
    phone: mate?.phone ?? '',
    email: mate?.email ?? '',
    address: addressForm(mate?.address),
    neq: mate?.neq ?? '',
    tps: mate?.tps ?? '',
    tvq: mate?.tvq ?? '',
    skills: mate?.skills ?? [],
    languages: mate?.languages ?? [],
    hubs: mate?.hubs ?? [],
    documents: (mate?.documents ?? []).map(({ kind, number, expiresOn }) => ({
      kind: kindLabel(kind),
      number,
      expiresOn,
    })),
    payRate: (mate?.payRate ?? '').replace(/\.00$/, ''),
    state: mate?.state ?? 'active',
  };
}

export function bodyOf(values: MateValues, kindOf: (typed: string) => string): MateForm {
  const { address, documents, payRate, ...rest } = values;
  return {
    ...rest,
    address: addressBody(address),
    languages: languages.filter((one): one is Language => values.languages.includes(one)),
    documents: documents.map((paper) => ({ ...paper, kind: kindOf(paper.kind) })),
    payRate: payRate === '' ? null : formatCents(parseCents(payRate) ?? 0),
  };
}
