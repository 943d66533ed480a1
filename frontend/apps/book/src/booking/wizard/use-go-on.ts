import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { draftStore, useDraftValue } from '../draft/draft-store.ts';
import { pageAfter, type WizardPath } from '../draft/steps.ts';

/** Goes on to the page after this one; a booking that is being changed has one page that shows and saves it all. */
export function useGoOn(path: WizardPath): () => void {
  const navigate = useNavigate();
  return () => void navigate({ to: draftStore.get().editing === null ? (pageAfter(path) ?? '/') : '/quote' });
}

/** What the button of a step says: its own text, or, while a booking is changed, where it leads then. */
export function useGoOnText(text: string): string {
  const { t } = useTranslation('wizard');
  const editing = useDraftValue((draft) => draft.editing !== null);
  return editing ? t('backToQuote') : text;
}
