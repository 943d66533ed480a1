import type { ExtraService, PriceLine } from '@portage/api';
import { useTranslation } from 'react-i18next';

import classes from './form.module.css';

interface UnpricedProps {
  /** The services that are asked for. */
  services: readonly ExtraService[];
  /** The lines of the price that has them; null while none is known, or where somebody sets another one by hand. */
  lines: readonly Pick<PriceLine, 'code'>[] | null;
}

/** Services that the rate card has no price for: the total is without them, so somebody has to name one. */
export function Unpriced({ services, lines }: UnpricedProps) {
  const { t } = useTranslation(['change', 'domain']);
  // the server has a line for what the rate card prices
  const without = lines ? services.filter((service) => !lines.some(({ code }) => code === service)) : [];
  if (without.length === 0) return null;
  return (
    <div role="status" className={classes['unpriced']}>
      {without.map((service) => (
        <p key={service} className="pg-help">
          {t('services.unpriced', { service: t(`domain:lineCode.${service}`) })}
        </p>
      ))}
    </div>
  );
}
