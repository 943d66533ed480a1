import { api, newIdempotencyKey, type OwnProfile, type StoredCustomer, unwrap } from '@portage/api';

/**
 * Stores a card: the first one makes the person known to the gateway, a later one replaces the card that is charged.
 * Every try takes a nonce and a key of its own. A nonce works once, and when no answer comes it may be spent: sent again
 * it would be refused as if the card were bad, while a card that is stored twice is charged once all the same.
 */
export async function storeCard(profile: OwnProfile, nonce: string): Promise<StoredCustomer> {
  const params = { header: { 'Idempotency-Key': newIdempotencyKey() } };
  const { customerId } = profile.wallet;
  return unwrap(
    customerId === null
      ? api.POST('/payment', { params, body: { userId: profile.userId, paymentNonce: nonce } })
      : api.POST('/payment/card', { params, body: { paymentNonce: nonce, customerId } }),
  );
}
