import { Notice } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { useTranslation } from 'react-i18next';

import classes from '../parts/form.module.css';
import { useFieldName } from '../parts/move-fields.tsx';
import type { MoveForm } from '../parts/move-form.ts';
import { changedKeys } from './form.ts';

interface ConflictProps {
  form: MoveForm;
  base: MoveForm;
  theirs: MoveForm;
  onKeep: () => void;
  onDrop: () => void;
}

/** Both versions side by side, when somebody else saved first. Nothing typed is lost before a button is pressed. */
export function Conflict({ form, base, theirs, onKeep, onDrop }: ConflictProps) {
  const { t } = useTranslation(['change', 'bookings', 'domain']);
  const name = useFieldName();
  const keys = [...new Set([...changedKeys(form, base), ...changedKeys(theirs, base)])];
  const side = (key: string) =>
    key.startsWith('pickup') ? t('domain:end.pickup') : key.startsWith('dropoff') ? t('domain:end.dropoff') : '';
  const value = (one: string | boolean) =>
    typeof one === 'boolean' ? t(one ? 'bookings:filter.yes' : 'bookings:filter.no') : one || '–';
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
                  <td>{value(form[key])}</td>
                  <td>{value(theirs[key])}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Notice>
  );
}
