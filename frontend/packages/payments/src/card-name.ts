import { useTranslation } from 'react-i18next';

const known: Record<string, 'visa' | 'mastercard' | 'amex' | 'discover' | 'jcb' | 'diners' | 'unionpay'> = {
  visa: 'visa',
  mastercard: 'mastercard',
  american_express: 'amex',
  amex: 'amex',
  discover: 'discover',
  jcb: 'jcb',
  diners: 'diners',
  diners_club: 'diners',
  union_pay: 'unionpay',
  unionpay: 'unionpay',
};

/** The brand as its cards print it; a brand we have no word for is shown as the gateway names it. */
export function useCardName(): (brand: string) => string {
  const { t } = useTranslation('payments');
  return (brand) => {
    const name = known[brand.toLowerCase().replaceAll(/[\s-]+/g, '_')];
    return name ? t(`brand.${name}`) : brand.replaceAll('_', ' ');
  };
}
