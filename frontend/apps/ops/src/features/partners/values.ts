import { type Partner, type PartnerForm, partnerStates } from '@portage/api';
import { phoneRule } from '@portage/person';
import * as z from 'zod/mini';

import { addressBody, addressForm, wholeAddress } from '../../shell/catalogue/address-fields.tsx';

const required = 'common:form.required';
const tooLong = 'person:tooLong';
/** So many addresses, and so many contacts, of one partner are kept. */
export const mostRows = 50;

const name = z.string().check(z.trim(), z.minLength(1, required), z.maxLength(100, tooLong));

/** What staff write down about a partner. Messages are text keys. */
export const partnerSchema = z.object({
  name,
  rateName: z.string().check(z.trim(), z.maxLength(100, tooLong)),
  netDays: z.string().check(
    z.trim(),
    z.refine((text) => /^\d{1,3}$/.test(text) && Number(text) <= 365, { error: 'partners:days.wrong' }),
  ),
  language: z.enum(['fr', 'en', 'zh']),
  state: z.enum(partnerStates as [Partner['state'], ...Partner['state'][]]),
  contacts: z.array(
    z.object({
      name,
      phone: phoneRule,
      email: z.string().check(
        z.trim(),
        z.refine((text) => text === '' || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text), { error: 'common:form.invalid' }),
        z.maxLength(254, tooLong),
      ),
    }),
  ),
  addresses: z.array(wholeAddress),
});
export type PartnerValues = z.infer<typeof partnerSchema>;

export const blankContact: PartnerValues['contacts'][number] = { name: '', phone: '', email: '' };

export function formOf(partner: Partner | null): PartnerValues {
  return {
    name: partner?.name ?? '',
    rateName: partner?.rateName ?? '',
    netDays: String(partner?.netDays ?? 30),
    language: partner?.language ?? (partner?.addresses[0] && partner.addresses[0].province !== 'QC' ? 'en' : 'fr'),
    state: partner?.state ?? 'active',
    contacts: (partner?.contacts ?? []).map(({ name, phone = '', email = '' }) => ({ name, phone, email })),
    addresses: (partner?.addresses ?? []).map(addressForm),
  };
}

export function bodyOf({ rateName, netDays, addresses, ...rest }: PartnerValues): PartnerForm {
  return {
    ...rest,
    rateName: rateName || null,
    netDays: Number(netDays),
    addresses: addresses.flatMap((address) => addressBody(address) ?? []),
  };
}
