import { Button } from '@mantine/core';
import { api, type OwnProfile, unwrap } from '@portage/api';
import { FormShell, useFormShell } from '@portage/forms';
import { profileQuery, QueryState } from '@portage/frame';
import { changeLanguage, languages } from '@portage/i18n';
import { announce, Notice, PageHeading, SelectField, TextField } from '@portage/kit';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { profileSchema, toForm } from './profile-form.ts';
import classes from './profile-page.module.css';

/** Page with one's own name, telephone and language; e-mail and role are shown, because others set them. */
function ProfilePage() {
  const { t } = useTranslation(['profile', 'common', 'person']);
  const profile = useQuery({ ...profileQuery, refetchOnWindowFocus: false });
  return (
    <>
      <PageHeading title={t('person:title')} lead={t('profile:lead')} />
      <QueryState query={profile} rows={6} height={36}>
        {(own) => <ProfileForm profile={own} />}
      </QueryState>
    </>
  );
}

function ProfileForm({ profile }: { profile: OwnProfile }) {
  const { t } = useTranslation(['profile', 'common', 'person']);
  const queries = useQueryClient();
  const labels = {
    firstName: t('person:firstName'),
    lastName: t('person:lastName'),
    phone: t('person:phone'),
    language: t('person:language'),
  };
  const shell = useFormShell({
    schema: profileSchema,
    defaultValues: toForm(profile),
    labels,
    send: (values) =>
      unwrap(api.PUT('/profiles/', { params: { header: { 'If-Match': `"${profile.version}"` } }, body: values })),
    onTaken: async (saved, form) => {
      queries.setQueryData(profileQuery.queryKey, saved);
      form.reset(toForm(saved));
      announce(t('person:saved'));
      await changeLanguage(toForm(saved).language);
    },
  });
  const loadAgain = async () => {
    shell.form.reset(toForm(await queries.fetchQuery({ ...profileQuery, staleTime: 0 })));
    shell.forgetProblem();
  };
  const { control } = shell.form;
  const role = profile.role === 'admin' ? t('profile:role.admin') : t('profile:role.ops');
  return (
    <>
      <dl className={classes['facts']}>
        <dt>{t('person:email')}</dt>
        <dd>{profile.email}</dd>
        <dt>{t('profile:field.role')}</dt>
        <dd>{role}</dd>
      </dl>
      <FormShell
        shell={shell}
        size="md"
        className={classes['form'] ?? ''}
        submitLabel={t('common:action.save')}
        takenText={t('person:saved')}
        renderRefusal={(problem) =>
          problem.status === 412 ? (
            <Notice
              tone="warning"
              live
              action={
                <Button variant="default" onClick={() => void loadAgain()}>
                  {t('person:conflict.again')}
                </Button>
              }
            >
              {t('person:conflict.text')}
            </Notice>
          ) : null
        }
      >
        <div className={classes['pair']}>
          <TextField control={control} name="firstName" label={labels.firstName} autoComplete="given-name" />
          <TextField control={control} name="lastName" label={labels.lastName} autoComplete="family-name" />
        </div>
        <TextField control={control} name="phone" label={labels.phone} optional type="tel" autoComplete="tel" />
        <SelectField
          control={control}
          name="language"
          label={labels.language}
          description={t('profile:language.why')}
          autoComplete="language"
          data={languages.map((value) => ({ value, label: t(`common:lang.${value}`) }))}
        />
      </FormShell>
    </>
  );
}

export const Route = createLazyRoute('/desk/profile')({ component: ProfilePage });
