import { NativeSelect } from '@mantine/core';
import { type MoveKind, moveKinds, type PriceLine, type SelectedFurniture } from '@portage/api';
import { CheckBox, DeskButton } from '@portage/kit/desk/button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useLate } from '../../../shell/use-late.ts';
import { ExtraServices } from '../parts/extra-services.tsx';
import classes from '../parts/form.module.css';
import { Group } from '../parts/move-fields.tsx';
import { Part } from '../record/section.tsx';
import { type ChangeErrors, fieldId } from './errors.ts';
import type { ChangeForm } from './form.ts';
import { useChangeName } from './names.ts';

interface WhatProps {
  form: ChangeForm;
  /** The lines of the price of what stands in the form, once they are known. */
  lines: readonly PriceLine[] | null;
  errors: ChangeErrors;
  onForm: (change: Partial<ChangeForm>) => void;
  onItems: (change: (items: SelectedFurniture[]) => SelectedFurniture[]) => void;
}

/** What kind of move it is and what is moved. The list to choose from comes when somebody asks for it. */
export function What({ form, lines, errors, onForm, onItems }: WhatProps) {
  const { t } = useTranslation(['change', 'order', 'domain', 'record']);
  const name = useChangeName();
  const [opened, setOpened] = useState(false);
  const code = useLate('pieces', opened, () => import('./pieces.tsx'));
  const count = form.items.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <Group title={t('order:group.what')}>
      <NativeSelect
        id={fieldId('kind')}
        label={name('kind')}
        value={form.kind}
        error={errors.kind}
        onChange={(event) => onForm({ kind: event.currentTarget.value as MoveKind })}
        data={moveKinds.map((value) => ({ value, label: t(`domain:moveKind.${value}`) }))}
      />
      <div className={classes['line']}>
        <CheckBox
          label={name('assembly')}
          labelShown
          checked={form.assembly}
          onChange={(assembly) => onForm({ assembly })}
        />
      </div>
      <div className={classes['wide']}>
        {opened ? (
          <Part query={code} loading={t('record:loading')} failed={t('record:failed')}>
            {({ Pieces }) => (
              <Pieces
                id={fieldId('items')}
                error={errors.items}
                items={form.items}
                onItems={onItems}
                ownItems={form.ownItems}
                onOwnItems={(ownItems) => onForm({ ownItems })}
                assembly={form.assembly}
              />
            )}
          </Part>
        ) : (
          <div className={classes['taken']}>
            <span>{t('domain:count.items', { count })}</span>
            <DeskButton replaced id={fieldId('items')} onClick={() => setOpened(true)}>
              {t('items.change')}
            </DeskButton>
            {errors.items ? <p className="pg-error">{errors.items}</p> : null}
          </div>
        )}
      </div>
      <ExtraServices
        label={name('services')}
        services={form.services}
        lines={lines}
        error={errors.services}
        onServices={(change) => onForm({ services: change(form.services) })}
      />
    </Group>
  );
}
