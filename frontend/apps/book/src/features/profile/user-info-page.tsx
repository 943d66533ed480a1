import { zodResolver } from '@hookform/resolvers/zod';
import { Button } from '@mantine/core';
import { api, asProblem, type OwnProfile, unwrap } from '@portage/api';
import { profileQuery } from '@portage/frame';
import { changeLanguage, currentLanguage, languages } from '@portage/i18n';
import {
  announce,
  ErrorState,
  ErrorSummary,
  LoadingState,
  Notice,
  PageHeading,
  SelectField,
  TextField,
  useSummary,
} from '@portage/kit';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

import classes from './profile.module.css';
import { toForm, trimmed, userInfoSchema, type UserInfoValues } from './user-info-form.ts';

export function UserInfoPage() {
  const { t } = useTranslation(['profile', 'common', 'shell']);
  const profile = useQuery({ ...profileQuery, refetchOnWindowFocus: false });
  return (
    <>
      <PageHeading title={t('shell:page.userInfo')} lead={t('profile:userInfo.lead')} />
      {profile.isPending ? <LoadingState rows={8} height={40} /> : null}
      {profile.isError ? (
        <ErrorState
          failure={asProblem(profile.error)}
          title={t('common:page.loadFailed')}
          onRetry={() => void profile.refetch()}
        />
      ) : null}
      {profile.data ? <UserInfoForm profile={profile.data} /> : null}
    </>
  );
}

function UserInfoForm({ profile }: { profile: OwnProfile }) {
  const { t } = useTranslation(['profile', 'address', 'common', 'person']);
  const queries = useQueryClient();
  const [attempt, setAttempt] = useState(0);
  const form = useForm<UserInfoValues>({
    resolver: zodResolver(userInfoSchema),
    defaultValues: toForm(profile),
    mode: 'onTouched',
  });
  const labels = {
    firstName: t('person:firstName'),
    lastName: t('person:lastName'),
    phone: t('person:phone'),
    gender: t('profile:field.gender'),
    occupation: t('profile:field.occupation'),
    language: t('person:language'),
    'billingAddress.unit': t('profile:billing.unit'),
    'billingAddress.streetName': t('profile:billing.streetName'),
    'billingAddress.aptUnit': t('profile:billing.aptUnit'),
    'billingAddress.city': t('address:manual.city'),
    'billingAddress.postalCode': t('address:manual.postalCode'),
    'billingAddress.province': t('address:manual.province'),
    'billingAddress.country': t('profile:billing.country'),
  };
  const summary = useSummary(form.formState.errors, labels);

  const save = useMutation({
    mutationFn: (values: UserInfoValues) =>
      unwrap(
        api.PUT('/profiles/', { params: { header: { 'If-Match': `"${profile.version}"` } }, body: trimmed(values) }),
      ),
    onSuccess: async (saved) => {
      queries.setQueryData(profileQuery.queryKey, saved);
      form.reset(toForm(saved));
      announce(t('person:saved'));
      const { language } = toForm(saved);
      if (language !== currentLanguage()) await changeLanguage(language);
    },
    onError: (error) => {
      for (const { field, message } of asProblem(error).fieldErrors) {
        if (field in labels) form.setError(field as keyof typeof labels, { type: 'server', message });
      }
      setAttempt((now) => now + 1);
    },
  });
  const conflict = save.isError && asProblem(save.error).status === 412;
  const named = save.isError && asProblem(save.error).fieldErrors.length > 0;
  const submit = form.handleSubmit(
    (values) => {
      if (!save.isPending) save.mutate(values);
    },
    () => setAttempt((now) => now + 1),
  );
  const { control } = form;
  return (
    <form onSubmit={submit} noValidate className={classes['form']}>
      {attempt > 0 ? <ErrorSummary items={summary} attempt={attempt} /> : null}
      {save.isSuccess && !form.formState.isDirty ? (
        <Notice tone="success" live>
          {t('person:saved')}
        </Notice>
      ) : null}
      {conflict ? (
        <Notice
          tone="warning"
          live
          action={
            <Button
              variant="default"
              onClick={() =>
                void queries.invalidateQueries({ queryKey: profileQuery.queryKey }).then(() => save.reset())
              }
            >
              {t('person:conflict.again')}
            </Button>
          }
        >
          {t('person:conflict.text')}
        </Notice>
      ) : save.isError && !named ? (
        <ErrorState failure={asProblem(save.error)} title={t('common:page.saveFailed')} />
      ) : null}
      <div className={classes['pair']}>
        <TextField control={control} name="firstName" label={labels.firstName} autoComplete="given-name" />
        <TextField control={control} name="lastName" label={labels.lastName} autoComplete="family-name" />
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
          <TextField
            control={control}
            name="billingAddress.province"
            label={labels['billingAddress.province']}
            optional
            autoComplete="billing address-level1"
          />
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
      <div>
        <Button type="submit" size="lg" loading={save.isPending}>
          {t('common:action.save')}
        </Button>
      </div>
    </form>
  );
}
