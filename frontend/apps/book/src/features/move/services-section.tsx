import { Checkbox } from '@mantine/core';
import { type ExtraService, extraServices } from '@portage/api';
import { formatMoney, useLanguage } from '@portage/i18n';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { draftStore, useDraft } from '../../booking/draft/draft-store.ts';
import { useEstimate } from '../../booking/estimate/estimate-context.tsx';
import classes from './services-section.module.css';
import { assembled } from './move-form.ts';

/** Taking apart as a whole, and what we do besides the move: with its price, or with the word that we will name one. */
export function ServicesSection() {
  const { t } = useTranslation(['move', 'domain']);
  const language = useLanguage();
  const { assembly, bookingType, extraServices: wanted } = useDraft();
  const { estimate, phase } = useEstimate();
  // what was chosen before is seen at once
  const [opened] = useState(wanted.length > 0 || !assembly);
  const choose = (service: ExtraService, on: boolean) => {
    const now = draftStore.get().extraServices;
    draftStore.patch({ extraServices: extraServices.filter((one) => (one === service ? on : now.includes(one))) });
  };
  return (
    <details className={classes['root']} open={opened}>
      <summary>
        <h2 id="services-title">{t('services.title')}</h2>
        <span className="pg-small pg-muted">{t('services.lead')}</span>
      </summary>
      {assembled(bookingType) ? (
        <Checkbox
          label={t('services.assembly')}
          description={t('services.assemblyHelp')}
          checked={assembly}
          onChange={(event) => draftStore.patch({ assembly: event.currentTarget.checked })}
        />
      ) : null}
      <div role="group" aria-labelledby="services-title" className={classes['services']}>
        {extraServices.map((service) => {
          return (
            <Checkbox
              key={service}
              label={t(`domain:lineCode.${service}`)}
              description={t(`services.${service}`)}
              checked={wanted.includes(service)}
              onChange={(event) => choose(service, event.currentTarget.checked)}
            />
          );
        })}
      </div>
      {wanted.length > 0 && estimate && phase === 'fresh' ? (
        <ul className="pg-small" role="status">
          {wanted.map((service) => {
            // the server has a line for what the rate card prices
            const line = estimate.lines.find(({ code }) => code === service);
            const name = t(`domain:lineCode.${service}`);
            return (
              <li key={service}>
                {line
                  ? t('services.priced', {
                      service: name,
                      price: formatMoney(line.amount, language, estimate.currency),
                    })
                  : t('services.toName', { service: name })}
              </li>
            );
          })}
        </ul>
      ) : null}
    </details>
  );
}
