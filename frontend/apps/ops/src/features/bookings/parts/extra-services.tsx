import { type ExtraService, extraServices, type PriceLine } from '@portage/api';
import { CheckBox } from '@portage/kit/desk/button';
import { useTranslation } from 'react-i18next';

import classes from './form.module.css';
import { Unpriced } from './unpriced.tsx';

interface ExtraServicesProps {
  /** What the group is called where it stands. */
  label: string;
  services: readonly ExtraService[];
  /** The lines of the price of what stands in the form; null while none is known. */
  lines: readonly Pick<PriceLine, 'code'>[] | null;
  error?: string | undefined;
  /** Is given what makes the new list of the one there is then. */
  onServices: (change: (services: readonly ExtraService[]) => ExtraService[]) => void;
}

/** The services beside the move, to be asked for one by one, and which of them the price is without. */
export function ExtraServices({ label, services, lines, error, onServices }: ExtraServicesProps) {
  const { t } = useTranslation('domain');
  return (
    <div role="group" aria-label={label} className={classes['line']}>
      {extraServices.map((service) => (
        <CheckBox
          key={service}
          label={t(`lineCode.${service}`)}
          labelShown
          checked={services.includes(service)}
          // always in the order of the list, whichever was pressed first
          onChange={(on) =>
            onServices((now) => extraServices.filter((one) => (one === service ? on : now.includes(one))))
          }
        />
      ))}
      <Unpriced services={services} lines={lines} />
      {error ? <p className="pg-error">{error}</p> : null}
    </div>
  );
}
