import { NativeSelect } from '@mantine/core';
import { api, asProblem, type OwnProfile, unwrap } from '@portage/api';
import { chooseLanguage, profileQuery, QueryState } from '@portage/frame';
import { keepAnswer } from '@portage/frame/keep-answer';
import { type Language, languages, useLanguage } from '@portage/i18n';
import { ErrorState, Notice, PageHeading } from '@portage/kit';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { CardSection } from './card-section.tsx';
import classes from './profile.module.css';

/** What is set once: language and card, then the sections of the account, which the route puts in. */
export function SettingsPage({ renderAccount }: { renderAccount: (profile: OwnProfile) => ReactNode }) {
  const { t } = useTranslation(['profile', 'common', 'shell']);
  const profile = useQuery(profileQuery);
  return (
    <div className={classes['root']}>
      <PageHeading title={t('shell:page.settings')} />
      <QueryState query={profile} rows={6}>
        {(own) => (
          <>
            <LanguageSection profile={own} />
            <CardSection profile={own} />
            {renderAccount(own)}
          </>
        )}
      </QueryState>
    </div>
  );
}

function LanguageSection({ profile }: { profile: OwnProfile }) {
  const { t } = useTranslation(['profile', 'common', 'person']);
  const language = useLanguage();
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: async (next: Language) => {
      // first, so that the confirmation is in the chosen language
      await chooseLanguage(next);
      return unwrap(
        api.PUT('/profiles/', { params: { header: { 'If-Match': `"${profile.version}"` } }, body: { language: next } }),
      );
    },
    onSuccess: (saved) => keepAnswer(queries, profileQuery, saved),
    onError: () => void queries.invalidateQueries({ queryKey: profileQuery.queryKey }),
  });
  return (
    <section aria-labelledby="settings-language" className={classes['section']}>
      <h2 id="settings-language">{t('person:language')}</h2>
      <NativeSelect
        aria-labelledby="settings-language"
        description={t('profile:language.both')}
        value={language}
        maw={280}
        onChange={(event) => save.mutate(event.currentTarget.value as Language)}
        data={languages.map((value) => ({ value, label: t(`common:lang.${value}`) }))}
      />
      {save.isSuccess ? (
        <Notice tone="success" live>
          {t('person:saved')}
        </Notice>
      ) : null}
      {save.isError ? <ErrorState failure={asProblem(save.error)} title={t('common:page.saveFailed')} /> : null}
    </section>
  );
}
