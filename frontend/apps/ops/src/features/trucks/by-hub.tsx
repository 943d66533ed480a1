import type { Truck } from '@portage/api';
import { useTranslation } from 'react-i18next';

import { recordLink } from '../../shell/catalogue/catalogue-page.tsx';
import { LastDay } from '../../shell/catalogue/last-day.tsx';
import { StateWord } from '../../shell/catalogue/state-word.tsx';
import { useHubName } from '../../shell/hubs.ts';
import classes from './by-hub.module.css';
import { useSizeText } from './size.ts';

/** The trucks in a table for each hub. */
export function ByHub({ trucks, open }: { trucks: readonly Truck[]; open: string | null }) {
  const { t } = useTranslation(['trucks', 'shell']);
  const hubName = useHubName();
  const hubs = [...new Set(trucks.map(({ hub }) => hub))];
  return hubs.map((hub) => {
    const rows = trucks.filter((truck) => truck.hub === hub);
    return (
      <section key={hub} className={classes['hub']}>
        <h2 className={classes['title']}>
          {hubName(hub)}
          <span className={classes['count']}>{t('count', { count: rows.length })}</span>
        </h2>
        <table className={classes['table']} aria-label={t('title.list', { hub: hubName(hub) })}>
          <thead>
            <tr>
              <th scope="col">{t('field.name')}</th>
              <th scope="col">{t('field.size')}</th>
              <th scope="col">{t('field.plate')}</th>
              <th scope="col">{t('field.inspectedUntil')}</th>
              <th scope="col">{t('field.insuredUntil')}</th>
              <th scope="col">{t('shell:col.state')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((truck) => (
              <Row key={truck.id} truck={truck} open={truck.id === open} />
            ))}
          </tbody>
        </table>
      </section>
    );
  });
}

function Row({ truck, open }: { truck: Truck; open: boolean }) {
  const { t } = useTranslation(['trucks', 'shell']);
  const size = useSizeText();
  const until = (day: string | null | undefined) =>
    day ? <LastDay day={day} /> : <span className="pg-muted">{t('notKept')}</span>;
  const link = {
    className: classes['link'] ?? '',
    'data-row-link': true as const,
    ...(open ? { 'aria-current': 'true' as const } : {}),
  };
  return (
    <tr data-grid-row={truck.id} data-open={open || undefined}>
      <th scope="row">{recordLink(truck, truck.name, link)}</th>
      <td data-name={t('field.size')}>{size(truck.size)}</td>
      <td data-name={t('field.plate')}>{truck.plate || <span className="pg-muted">{t('notKept')}</span>}</td>
      <td data-name={t('field.inspectedUntil')}>{until(truck.inspectedUntil)}</td>
      <td data-name={t('field.insuredUntil')}>{until(truck.insuredUntil)}</td>
      <td data-name={t('shell:col.state')}>
        <StateWord state={truck.state} />
      </td>
    </tr>
  );
}
