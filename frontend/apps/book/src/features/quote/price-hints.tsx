import type { PriceHint } from '@portage/api';
import { parseCents } from '@portage/domain';
import { Money } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import classes from './quote-page.module.css';

const known = [
  'pickup_elevator',
  'dropoff_elevator',
  'pickup_parking',
  'dropoff_parking',
  'pickup_easy_access',
  'dropoff_easy_access',
  'no_assembly',
  'client_helps',
] as const;

/** What would make this very move cheaper, each priced by the server; of many only the most telling. */
export function PriceHints({ hints, currency }: { hints: PriceHint[]; currency: string }) {
  const { t } = useTranslation('quote');
  const told = hints.flatMap(({ code, difference }) => {
    const name = known.find((one) => one === code);
    return name && parseCents(difference) !== null ? [{ name, difference }] : [];
  });
  if (told.length === 0) return null;
  return (
    <details className={classes['hints']}>
      <summary>{t('hints.title')}</summary>
      <ul aria-label={t('hints.title')}>
        {told.slice(0, 3).map(({ name, difference }) => (
          <li key={name}>
            <span>{t(`hints.${name}`)}</span>
            <Money value={difference} currency={currency} />
          </li>
        ))}
      </ul>
    </details>
  );
}
