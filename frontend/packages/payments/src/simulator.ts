import { ApiProblem, asProblem } from '@portage/api';

import { digitsOf, parseExpiry } from './card.ts';

export type CardField = 'number' | 'expiry' | 'cvc';

const fieldOf: Record<string, CardField> = {
  number: 'number',
  expirationMonth: 'expiry',
  expirationYear: 'expiry',
  cvv: 'cvc',
};

/** Trades a test card for a nonce at the stand-in of the gateway. Rejects with the fields it refused, if it was that. */
export async function tokeniseAtSimulator(card: { number: string; expiry: string; cvc: string }): Promise<string> {
  const expiry = parseExpiry(card.expiry);
  let response: Response;
  try {
    response = await fetch('/simulators/braintree/tokenize', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        number: digitsOf(card.number),
        expirationMonth: String(expiry?.month ?? ''),
        expirationYear: String(expiry?.year ?? ''),
        cvv: card.cvc,
      }),
    });
  } catch (error) {
    throw asProblem(error);
  }
  const body = (await response.json().catch(() => ({}))) as { nonce?: unknown; errors?: { field?: string }[] };
  if (response.ok && typeof body.nonce === 'string') return body.nonce;
  const fields = [...new Set((body.errors ?? []).flatMap((one) => fieldOf[one.field ?? ''] ?? []))];
  if (response.status === 422 && fields.length > 0)
    throw new ApiProblem({
      status: 422,
      code: 'card_refused',
      fieldErrors: fields.map((field) => ({ field, code: 'invalid', message: '' })),
    });
  throw new ApiProblem({ status: response.status >= 500 ? response.status : 503, code: 'payment_unavailable' });
}
