import type { OwnProfile } from '@portage/api';
import { FormShell } from '@portage/forms';
import { profileQuery, QueryState } from '@portage/frame';
import { languages } from '@portage/i18n';
import { PageHeading, SelectField, TextField } from '@portage/kit';
import { NameFields, personOf, personRules, usePersonLabels, useProfileForm } from '@portage/person';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';

import classes from './profile-page.module.css';

const schema = z.object(personRules);

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
  const labels = usePersonLabels();
  const { shell, renderRefusal } = useProfileForm({ profile, schema, labels, toForm: personOf });
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
        renderRefusal={renderRefusal}
      >
        <div className={classes['pair']}>
          <NameFields control={control} />
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
