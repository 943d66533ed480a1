import { asProblem, type TemplateRecord, type TemplateWords } from '@portage/api';
import { showToast } from '@portage/kit/desk/toasts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { type Asked, restoreTemplate, saveTemplate, templatesKey, tryTemplate, type Which } from './queries.ts';

/** What can be done with a template, and what came of it. */
export function useActs(which: Which, version: number, onSaved: (template: TemplateRecord) => void) {
  const { t } = useTranslation('templates');
  const queries = useQueryClient();
  const taken = (template: TemplateRecord, text: string) => {
    showToast({ text });
    onSaved(template);
    void queries.invalidateQueries({ queryKey: templatesKey });
  };
  const save = useMutation({
    mutationFn: ({ words, force }: { words: TemplateWords; force: boolean }) =>
      saveTemplate(which, version, words, force),
    onSuccess: (template) => taken(template, t('done.saved')),
  });
  const restore = useMutation({
    mutationFn: () => restoreTemplate(which, version),
    onSuccess: (template) => taken(template, t('done.restored')),
  });
  const test = useMutation({
    mutationFn: (asked: Asked) => tryTemplate(which, asked),
    onSuccess: ({ recipient }) => showToast({ text: t('done.test', { recipient }) }),
  });
  const refusal = save.isError ? asProblem(save.error) : null;
  const keys = refusal?.code === 'template_unsupported_keys' ? refusal.members['keys'] : null;
  /** Keys that the server asks about before it saves them; none when it refused something else. */
  const unsupported = Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : null;
  const failure = unsupported ? null : (save.error ?? test.error ?? restore.error);
  return { save, restore, test, unsupported, failure };
}

export type Acts = ReturnType<typeof useActs>;
