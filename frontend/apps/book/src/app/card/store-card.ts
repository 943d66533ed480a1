import { api, newIdempotencyKey, type OwnProfile, type StoredCustomer, unwrap } from '@portage/api';

import { rememberCard } from '../own-profile/profile-query.ts';

/** A nonce works once, so a try nobody knows the end of is repeated with the same nonce and key. */
export interface CardTry {
  nonce: string;
  key: string;
}

export function newCardTry(nonce: string): CardTry {
  return { nonce, key: newIdempotencyKey() };
}

/** Stores a card: the first one makes the person known to the gateway, a later one replaces the card that is charged. */
export async function storeCard(profile: OwnProfile, { nonce, key }: CardTry): Promise<StoredCustomer> {
  const params = { header: { 'Idempotency-Key': key } };
  const { customerId } = profile.wallet;
  const stored = await unwrap(
    customerId === null
      ? api.POST('/payment', { params, body: { userId: profile.userId, paymentNonce: nonce } })
      : api.POST('/payment/card', { params, body: { paymentNonce: nonce, customerId } }),
  );
  rememberCard(stored);
  return stored;
}
