import { paymentKinds } from '@portage/api';
import { useTranslation } from 'react-i18next';

const states = [
  'scheduled',
  'processing',
  'unknown',
  'authorized',
  'captured',
  'settled',
  'soft_declined',
  'hard_declined',
  'failed',
  'voided',
  'expired',
  'skipped',
  'refunded',
  'partially_refunded',
  'charged_back',
] as const;

/** The name of a charge and the word for where it stands, for whatever the server says. */
export function usePaymentWords() {
  const { t } = useTranslation(['record', 'domain']);
  return {
    kind: (kind: string) => {
      const known = paymentKinds.find((one) => one === kind);
      if (known === 'tip' || known === 'overtime') return t(`domain:line.${known}`);
      return known ? t(`kind.${known}`) : kind;
    },
    /** What was taken of a charge was paid back by a refund: the server has one state for both. */
    state: (state: string, kind?: string) => {
      const made = state === 'captured' || state === 'settled';
      const known = kind === 'refund' && made ? 'refunded' : states.find((one) => one === state);
      return known ? t(`state.${known}`) : state;
    },
  };
}
