import type { OwnProfile } from '@portage/api';
import { useProvinceChoices } from '@portage/domain';
import { FormShell } from '@portage/forms';
import { profileQuery, QueryState } from '@portage/frame';
import { languages } from '@portage/i18n';
import { PageHeading, SelectField, TextField } from '@portage/kit';
import { NameFields, usePersonLabels, useProfileForm } from '@portage/person';
import { useQuery } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

import classes from './profile.module.css';
import { inCanada, toForm, trimmed, userInfoSchema } from './user-info-form.ts';

export function UserInfoPage() {
  const { t } = useTranslation(['profile', 'common', 'shell']);
  const profile = useQuery({ ...profileQuery, refetchOnWindowFocus: false });
  return (
    <>
      <PageHeading title={t('shell:page.userInfo')} lead={t('profile:userInfo.lead')} />
      <QueryState query={profile} rows={8} height={40}>
        {(own) => <UserInfoForm profile={own} />}
      </QueryState>
    </>
  );
}

function UserInfoForm({ profile }: { profile: OwnProfile }) {
  const { t } = useTranslation(['profile', 'address', 'common', 'person']);
  const labels = {
    ...usePersonLabels(),
    gender: t('profile:field.gender'),
    occupation: t('profile:field.occupation'),
    'billingAddress.unit': t('profile:billing.unit'),
    'billingAddress.streetName': t('profile:billing.streetName'),
    'billingAddress.aptUnit': t('profile:billing.aptUnit'),
    'billingAddress.city': t('address:manual.city'),
    'billingAddress.postalCode': t('address:manual.postalCode'),
    'billingAddress.province': t('address:manual.province'),
    'billingAddress.country': t('profile:billing.country'),
  };
  const { shell, renderRefusal } = useProfileForm({ profile, schema: userInfoSchema, labels, toForm, bodyOf: trimmed });
  const { control } = shell.form;
  const provinceChoices = useProvinceChoices();
  const { province, country } = useWatch({ control, name: 'billingAddress' });
  const canadian = inCanada(country);
  // saved before there was a list: it stays in sight until another one is chosen
  const unknownProvince = province !== '' && provinceChoices.every(({ value }) => value !== province);
  return (
    <FormShell
      shell={shell}
      submitLabel={t('common:action.save')}
      takenText={t('person:saved')}
      renderRefusal={renderRefusal}
    >
      <div className={classes['pair']}>
        <NameFields control={control} />
      </div>
      <TextField
        control={control}
        name="phone"
        label={labels.phone}
        optional
        description={t('person:phoneWhy')}
        type="tel"
        autoComplete="tel"
      />
      <div className={classes['pair']}>
        <TextField control={control} name="gender" label={labels.gender} optional autoComplete="sex" />
        <TextField
          control={control}
          name="occupation"
          label={labels.occupation}
          optional
          autoComplete="organization-title"
        />
      </div>
      <SelectField
        control={control}
        name="language"
        label={labels.language}
        description={t('profile:language.why')}
        autoComplete="language"
        data={languages.map((value) => ({ value, label: t(`common:lang.${value}`) }))}
      />
      <fieldset className={classes['group']}>
        <legend>{t('profile:billing.title')}</legend>
        <div className={classes['pair']}>
          <TextField
            control={control}
            name="billingAddress.unit"
            label={labels['billingAddress.unit']}
            optional
            autoComplete="off"
          />
          <TextField
            control={control}
            name="billingAddress.streetName"
            label={labels['billingAddress.streetName']}
            optional
            autoComplete="billing address-line1"
          />
          <TextField
            control={control}
            name="billingAddress.aptUnit"
            label={labels['billingAddress.aptUnit']}
            optional
            autoComplete="billing address-line2"
          />
          <TextField
            control={control}
            name="billingAddress.city"
            label={labels['billingAddress.city']}
            optional
            autoComplete="billing address-level2"
          />
          {canadian ? (
            <SelectField
              control={control}
              name="billingAddress.province"
              label={labels['billingAddress.province']}
              optional
              autoComplete="billing address-level1"
              data={[
                { value: '', label: t('profile:province.none') },
                ...(unknownProvince ? [{ value: province, label: province }] : []),
                ...provinceChoices,
              ]}
            />
          ) : (
            <TextField
              control={control}
              name="billingAddress.province"
              label={labels['billingAddress.province']}
              optional
              autoComplete="billing address-level1"
            />
          )}
          <TextField
            control={control}
            name="billingAddress.postalCode"
            label={labels['billingAddress.postalCode']}
            optional
            autoComplete="billing postal-code"
          />
        </div>
        <TextField
          control={control}
          name="billingAddress.country"
          label={labels['billingAddress.country']}
          optional
          autoComplete="billing country-name"
        />
      </fieldset>
    </FormShell>
  );
}
