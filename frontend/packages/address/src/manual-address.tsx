import { Button } from '@mantine/core';
import { useProvinceChoices } from '@portage/domain';
import { SubmitButton, useFormShell } from '@portage/forms';
import { ErrorState, SelectField, TextField } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import { type ByHand, type Place } from './address.ts';
import classes from './manual-address.module.css';
import { addressOf, byHandSchema, locate, unknownPlace } from './manual-form.ts';

interface ManualAddressProps {
  id: string;
  /** What was typed so far, kept by the form around it so that nothing of it is lost. */
  values: ByHand;
  onChange: (values: ByHand) => void;
  /** The form around it was refused because of this address. */
  error: boolean;
  onDone: (place: Place) => void;
  onCancel: () => void;
}

/** The address field by field, for those the search does not know. */
export function ManualAddress({ id, values, onChange, error, onDone, onCancel }: ManualAddressProps) {
  const { t } = useTranslation(['address', 'common']);
  const provinceChoices = useProvinceChoices();
  const { open: _, ...typed } = values;
  const labels = {
    street: t('manual.street'),
    city: t('manual.city'),
    province: t('manual.province'),
    postalCode: t('manual.postalCode'),
  };
  const shell = useFormShell({
    schema: byHandSchema,
    kept: { values: typed, keep: (next) => onChange({ ...next, open: true }) },
    labels,
    check: 'onSubmit',
    leadTo: 'field',
    send: (checked) => locate(addressOf(checked)),
    fieldsOf: ({ code }) => (code === unknownPlace ? [{ field: 'street', message: 'address:manual.notFound' }] : []),
    onTaken: onDone,
  });
  const { control } = shell.form;
  // what is wrong with a field is said at the field, and not a second time below
  const incomplete = error && Object.keys(shell.form.formState.errors).length === 0;

  return (
    <fieldset className={classes['root']}>
      <legend className={classes['legend']}>{t('manual.title')}</legend>
      <TextField
        id={id}
        control={control}
        name="street"
        label={labels.street}
        description={t('manual.streetHelp')}
        autoComplete="street-address"
      />
      <div className={classes['pair']}>
        <TextField id={`${id}-city`} control={control} name="city" label={labels.city} autoComplete="address-level2" />
        <SelectField
          id={`${id}-province`}
          control={control}
          name="province"
          label={labels.province}
          autoComplete="address-level1"
          data={provinceChoices}
        />
      </div>
      <TextField
        id={`${id}-postal`}
        control={control}
        name="postalCode"
        label={labels.postalCode}
        description={t('manual.postalCodeHelp')}
        autoComplete="postal-code"
        autoCapitalize="characters"
        maw={280}
      />
      {incomplete ? <p className="pg-error">{t('address.incomplete')}</p> : null}
      {shell.problem ? <ErrorState failure={shell.problem} onRetry={() => void shell.submit()} /> : null}
      <div className={classes['actions']}>
        <SubmitButton shell={shell} formless>
          {t('manual.use')}
        </SubmitButton>
        <Button variant="subtle" color="spruce" onClick={onCancel}>
          {t('manual.close')}
        </Button>
      </div>
    </fieldset>
  );
}
