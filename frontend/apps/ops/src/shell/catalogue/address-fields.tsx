import { isPostalCode, postalCodeFits } from '@portage/address';
import { provinceOf, type WholeAddress } from '@portage/api';
import { useProvinceChoices } from '@portage/domain';
import type { Control, FieldPath, FieldValues } from '@portage/forms';
import { SelectField, TextField } from '@portage/kit';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';

const shape = z.object({
  street: z.string().check(z.trim(), z.maxLength(200, 'person:tooLong')),
  unit: z.string().check(z.trim(), z.maxLength(60, 'person:tooLong')),
  city: z.string().check(z.trim(), z.maxLength(200, 'person:tooLong')),
  province: z.string(),
  postalCode: z.string().check(z.trim()),
});
export type AddressForm = z.infer<typeof shape>;

const isBlank = ({ street, unit, city, postalCode }: AddressForm) =>
  `${street}${unit}${city}${postalCode}`.trim() === '';

/** An address that is whole, once it is `needed`. */
function wholeWhen(needed: (address: AddressForm) => boolean) {
  const given = (field: 'street' | 'city' | 'postalCode') =>
    z.refine<AddressForm>((address) => !needed(address) || address[field] !== '', {
      error: 'common:form.required',
      path: [field],
    });
  return shape.check(
    given('street'),
    given('city'),
    given('postalCode'),
    z.refine(({ postalCode }) => postalCode === '' || isPostalCode(postalCode), {
      error: 'common:form.invalid',
      path: ['postalCode'],
    }),
    z.refine(({ postalCode, province }) => !isPostalCode(postalCode) || postalCodeFits(postalCode, province), {
      error: 'common:form.codeElsewhere',
      path: ['postalCode'],
    }),
  );
}

export const wholeAddress = wholeWhen(() => true);
export const wholeAddressOrNone = wholeWhen((address) => !isBlank(address));

export const blankAddress: AddressForm = { street: '', unit: '', city: '', province: 'QC', postalCode: '' };

export function addressForm(address: WholeAddress | null | undefined): AddressForm {
  if (!address) return blankAddress;
  const { street, unit, city, province, postalCode } = address;
  return { street, unit, city, province, postalCode };
}

/** The address as the calls take it; nothing when none was given. */
export function addressBody(address: AddressForm) {
  return isBlank(address) ? null : { ...address, province: provinceOf(address.province), country: 'Canada' };
}

const fields = ['street', 'unit', 'city', 'province', 'postalCode'] as const;

/** The names of the fields of an address, by their paths. */
export function useAddressLabels(): (path: string) => Record<string, string> {
  const { t } = useTranslation(['address', 'catalogue']);
  return (path) =>
    Object.fromEntries(
      fields.map((field) => [`${path}.${field}`, field === 'unit' ? t('catalogue:unit') : t(`manual.${field}`)]),
    );
}

/** An address by hand: staff have it on paper. */
export function AddressFields<V extends FieldValues>({ control, path }: { control: Control<V>; path: string }) {
  const { t } = useTranslation('address');
  const labels = useAddressLabels()(path);
  const provinces = useProvinceChoices();
  const bound = (field: (typeof fields)[number]) => ({
    control,
    name: `${path}.${field}` as FieldPath<V>,
    label: labels[`${path}.${field}`] ?? '',
    // the browser would fill in the colleague's own
    autoComplete: 'off',
  });
  return (
    <>
      <TextField {...bound('street')} />
      <TextField {...bound('unit')} optional />
      <TextField {...bound('city')} />
      <SelectField {...bound('province')} data={provinces} />
      <TextField {...bound('postalCode')} description={t('manual.postalCodeHelp')} autoCapitalize="characters" />
    </>
  );
}
