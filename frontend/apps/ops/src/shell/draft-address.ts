import type { Address, BookingDraftBody } from '@portage/api';

/** An address of a draft with what is not known yet empty; null while nothing of it is. */
export function addressOf(sent: BookingDraftBody['pickup']): Address | null {
  if (!sent) return null;
  const { country, province, postalCode, city, street, unit, fullAddress } = sent;
  const address = {
    country: country || 'Canada',
    province: province ?? '',
    postalCode: postalCode ?? '',
    city: city ?? '',
    street: street ?? '',
    unit: unit ?? '',
    fullAddress: fullAddress ?? '',
  };
  return address.city || address.street || address.postalCode || address.fullAddress ? address : null;
}
