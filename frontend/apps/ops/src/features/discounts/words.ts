import type { DiscountCode } from '@portage/api';
import { formatMoney, formatNumber, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

import { useShortDay } from '../../shell/catalogue/last-day.tsx';

/** What a code takes off, when and how often, in words. */
export function useDiscountWords() {
  const { t } = useTranslation(['discounts', 'desk']);
  const language = useLanguage();
  const day = useShortDay();
  const number = (value: number) => formatNumber(value, language);
  return {
    off: ({ kind, value, maxAmount }: DiscountCode) => {
      if (kind === 'fixed') return formatMoney(value, language);
      const share = formatNumber(Number(value) / 100, language, { style: 'percent', maximumFractionDigits: 2 });
      return maxAmount ? t('off.most', { share, amount: formatMoney(maxAmount, language) }) : share;
    },
    move: ({ validFrom, validUntil }: DiscountCode) =>
      t('desk:dates.fromTo', { from: day(validFrom), to: day(validUntil) }),
    booking: ({ bookableFrom: from, bookableUntil: until }: DiscountCode) => {
      if (from && until) return t('desk:dates.fromTo', { from: day(from), to: day(until) });
      if (from) return t('desk:dates.since', { day: day(from) });
      return until ? t('desk:dates.until', { day: day(until) }) : t('booking.any');
    },
    uses: ({ uses, maxUses }: DiscountCode) =>
      maxUses ? t('uses.of', { uses: number(uses), most: number(maxUses) }) : number(uses),
  };
}
