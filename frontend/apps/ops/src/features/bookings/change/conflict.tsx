import type { SelectedFurniture } from '@portage/api';
import { catalogueQuery } from '@portage/furniture';
import { formatItems, useLanguage } from '@portage/i18n';
import { Notice } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import classes from '../parts/form.module.css';
import { changedKeys, type ChangeForm, type ChangeKey, chosenItems } from './form.ts';
import { useChangeName } from './names.ts';

interface ConflictProps {
  form: ChangeForm;
  base: ChangeForm;
  theirs: ChangeForm;
  onKeep: () => void;
  onDrop: () => void;
}

/** The pieces that one list has otherwise than the other. */
function otherPieces(items: SelectedFurniture[], beside: SelectedFurniture[]): SelectedFurniture[] {
  const known = new Set(chosenItems(beside).map((item) => JSON.stringify(item)));
  return chosenItems(items).filter((item) => !known.has(JSON.stringify(item)));
}

/** Says a value of the form in words. */
function useValueText() {
  const { t } = useTranslation(['bookings', 'domain']);
  const language = useLanguage();
  const catalogue = useQuery(catalogueQuery).data?.data;
  const piece = ({ id, quantity }: SelectedFurniture) =>
    `${quantity} × ${catalogue?.find((one) => one.id === id)?.name[language] ?? id}`;
  /** `beside` is the other version: of a long list only what differs is told. */
  return (form: ChangeForm, key: ChangeKey, beside: ChangeForm): string => {
    switch (key) {
      case 'pickup':
      case 'dropoff': {
        const address = form[key].place?.address;
        return address?.fullAddress || address?.street || '–';
      }
      case 'pickupCategory':
      case 'dropoffCategory': {
        const category = form[key];
        return category === '' ? '–' : t(`domain:category.${category}`);
      }
      case 'kind':
        return t(`domain:moveKind.${form.kind}`);
      case 'items':
        return formatItems(otherPieces(form.items, beside.items).map(piece), language) || '–';
      case 'services':
        return (
          formatItems(
            form.services.map((one) => t(`domain:lineCode.${one}`)),
            language,
          ) || '–'
        );
      default: {
        const value = form[key];
        return typeof value === 'boolean' ? t(value ? 'bookings:filter.yes' : 'bookings:filter.no') : value || '–';
      }
    }
  };
}

/** Both versions side by side, when somebody else saved first. Nothing typed is lost before a button is pressed. */
export function Conflict({ form, base, theirs, onKeep, onDrop }: ConflictProps) {
  const { t } = useTranslation(['change', 'domain']);
  const name = useChangeName();
  const value = useValueText();
  const mine = changedKeys(form, base);
  const keys = [...new Set([...mine, ...changedKeys(theirs, base)])];
  const side = (key: string) =>
    key.startsWith('pickup') ? t('domain:end.pickup') : key.startsWith('dropoff') ? t('domain:end.dropoff') : '';
  return (
    <Notice
      tone="warning"
      live
      led
      title={t('conflict.title')}
      action={
        <div className={classes['buttons']}>
          <DeskButton variant="primary" onClick={onKeep}>
            {t('conflict.keep')}
          </DeskButton>
          <DeskButton onClick={onDrop}>{t('conflict.drop')}</DeskButton>
        </div>
      }
    >
      <p>{t('conflict.text')}</p>
      {keys.length === 0 ? (
        <p>{t('conflict.none')}</p>
      ) : (
        <div className={classes['scroll']}>
          <table className={classes['sides']}>
            <thead>
              <tr>
                <th scope="col">{t('conflict.field')}</th>
                <th scope="col">{t('conflict.mine')}</th>
                <th scope="col">{t('conflict.theirs')}</th>
              </tr>
            </thead>
            <tbody>
              {keys.map((key) => (
                <tr key={key}>
                  <th scope="row">
                    {name(key)} <span className="pg-muted">{side(key)}</span>
                  </th>
                  {/* its value is the old one, or looks empty: neither is what would be saved */}
                  <td>
                    {mine.includes(key) ? (
                      value(form, key, theirs)
                    ) : (
                      <span className="pg-muted">{t('conflict.untouched')}</span>
                    )}
                  </td>
                  <td>{value(theirs, key, form)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Notice>
  );
}
