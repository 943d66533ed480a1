import { Button } from '@mantine/core';
import { api, type ApiProblem, type OwnProfile, type ProfileUpdate, unwrap } from '@portage/api';
import { type FormShellOptions, type Shell, useFormShell } from '@portage/forms';
import { chooseLanguage, profileQuery } from '@portage/frame';
import { keepAnswer } from '@portage/frame/keep-answer';
import { currentLanguage, isLanguage, type Language, useLanguage } from '@portage/i18n';
import { announce, Notice, TextField } from '@portage/kit';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Control, FieldPath } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';

import { nameRule, phoneRule } from './rules.ts';

/** What every form of one's own profile asks, as parts of its schema. */
export const personRules = {
  firstName: nameRule,
  lastName: nameRule,
  phone: phoneRule,
  language: z.enum(['en', 'fr', 'zh']),
};

export interface PersonValues {
  firstName: string;
  lastName: string;
  phone: string;
  language: Language;
}

export function personOf({ firstName, lastName, phone, language }: OwnProfile): PersonValues {
  return { firstName, lastName, phone, language: isLanguage(language) ? language : currentLanguage() };
}

export function usePersonLabels(): Record<keyof PersonValues, string> {
  const { t } = useTranslation('person');
  return { firstName: t('firstName'), lastName: t('lastName'), phone: t('phone'), language: t('language') };
}

interface ProfileForm<V extends PersonValues> extends Pick<FormShellOptions<V, OwnProfile>, 'schema' | 'labels'> {
  profile: OwnProfile;
  toForm: (profile: OwnProfile) => V;
  /** What is sent of the checked values; all of them without it. */
  bodyOf?: (values: V) => ProfileUpdate;
}

/**
 * The form of one's own profile: saved only when nobody has changed it meanwhile, else it may be loaded again; the pages
 * follow the language that was chosen.
 */
export function useProfileForm<V extends PersonValues>({
  profile,
  toForm,
  schema,
  labels,
  bodyOf,
}: ProfileForm<V>): {
  shell: Shell<V, OwnProfile>;
  renderRefusal: (problem: ApiProblem) => ReactNode;
} {
  const { t } = useTranslation('person');
  const queries = useQueryClient();
  const shell = useFormShell<V, OwnProfile>({
    schema,
    labels,
    defaultValues: toForm(profile),
    send: (values) =>
      unwrap(
        api.PUT('/profiles/', {
          params: { header: { 'If-Match': `"${profile.version}"` } },
          body: bodyOf?.(values) ?? values,
        }),
      ),
    onTaken: async (saved, form) => {
      await keepAnswer(queries, profileQuery, saved);
      form.reset(toForm(saved));
      announce(t('saved'));
      const { language } = toForm(saved);
      if (language !== currentLanguage()) await chooseLanguage(language);
    },
  });
  const loadAgain = async () => {
    shell.form.reset(toForm(await queries.fetchQuery({ ...profileQuery, staleTime: 0 })));
    shell.forgetProblem();
  };
  const renderRefusal = (problem: ApiProblem) =>
    problem.status === 412 ? (
      <Notice
        tone="warning"
        live
        action={
          <Button variant="default" onClick={() => void loadAgain()}>
            {t('conflict.again')}
          </Button>
        }
      >
        {t('conflict.text')}
      </Notice>
    ) : null;
  return { shell, renderRefusal };
}

/** First and last name, the last name first in Chinese; their frame says how they stand. */
export function NameFields<V extends PersonValues>({ control }: { control: Control<V> }) {
  const labels = usePersonLabels();
  const first = (
    <TextField
      key="first"
      control={control}
      name={'firstName' as FieldPath<V>}
      label={labels.firstName}
      autoComplete="given-name"
    />
  );
  const last = (
    <TextField
      key="last"
      control={control}
      name={'lastName' as FieldPath<V>}
      label={labels.lastName}
      autoComplete="family-name"
    />
  );
  return useLanguage() === 'zh' ? [last, first] : [first, last];
}
