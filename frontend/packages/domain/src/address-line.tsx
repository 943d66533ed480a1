import type { Address } from '@portage/api';

/** Street line first, the rest below it; the unit stands before the street as people here write it. */
export function AddressLine({ address, unit }: { address: Address; unit?: string }) {
  const door = unit || address.unit;
  const rest = [address.city, address.province, address.postalCode].filter(Boolean).join(' ');
  if (!address.street) return <span>{address.fullAddress}</span>;
  return (
    <span>
      <span>{door ? `${door}-${address.street}` : address.street}</span>
      {rest ? (
        <span className="pg-muted pg-small" style={{ display: 'block' }}>
          {rest}
        </span>
      ) : null}
    </span>
  );
}
