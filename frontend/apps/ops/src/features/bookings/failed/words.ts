import { useTranslation } from 'react-i18next';

const reasons = [
  'cancelled_recurring_transaction',
  'credit_not_processed',
  'duplicate',
  'fraud',
  'general',
  'invalid_account',
  'not_recognized',
  'product_not_received',
  'product_unsatisfactory',
  'retrieval',
  'transaction_amount_differs',
] as const;

/** Why a cardholder disputes a charge, for whatever the gateway says. */
export function useDisputeReason(): (reason: string) => string {
  const { t } = useTranslation('failed');
  return (reason) => t(`disputed.${reasons.find((one) => one === reason) ?? 'general'}`);
}
