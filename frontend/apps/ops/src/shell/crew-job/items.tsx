import { type components } from '@portage/api';
import { formatItems, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

/** A job as its crew is told of it: no price, no e-mail address. */
export type CrewJob = components['schemas']['CrewJobRecord'];

/** What is carried, on a mate's screen and on paper; what one person cannot handle, and what is taken apart, stands out. */
export function CarriedItems({ items, className }: { items: CrewJob['items']; className?: string | undefined }) {
  const { t } = useTranslation('crewJob');
  const language = useLanguage();
  return (
    <ul className={className}>
      {items.map((item) => (
        <li key={item.id}>
          {t('item', { count: item.quantity, name: item.name })}
          {item.heavy || item.assembly ? (
            <strong>
              {' '}
              {formatItems([...(item.heavy ? [t('heavy')] : []), ...(item.assembly ? [t('assembly')] : [])], language)}
            </strong>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
