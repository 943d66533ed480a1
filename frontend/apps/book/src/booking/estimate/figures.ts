import type { Estimate } from '@portage/api';

/** The figures of the booking draft that the server computes, under the specification's names. */
export interface DraftFigures {
  /** Minutes; -1 when it is not known. Never shown, and never asked for in a hold. */
  estimatedDuration: number;
  isDurationWithinLimit: boolean;
  discount: string;
  priceQuote: string | null;
  priceTaxed: string | null;
  estimate: { discount: string; originalAmount: string; amount: string; currency: string; tax: string };
}

/** Derived from what the query cache holds, with the specification's values for a failed estimate where it holds nothing. */
export function draftFigures(estimate: Estimate | null): DraftFigures {
  if (!estimate)
    return {
      estimatedDuration: -1,
      isDurationWithinLimit: true,
      discount: '',
      priceQuote: null,
      priceTaxed: null,
      estimate: { discount: '0.00', originalAmount: '0.00', amount: '0.00', currency: 'CAD', tax: '0.00' },
    };
  const { discount, originalAmount, amount, currency, tax } = estimate;
  return {
    estimatedDuration: estimate.duration,
    isDurationWithinLimit: estimate.is_duration_within_limit,
    discount,
    priceQuote: amount,
    priceTaxed: estimate.total,
    estimate: { discount, originalAmount, amount, currency, tax },
  };
}
