import { api, asProblem, unwrap } from '@portage/api';
import { Notice } from '@portage/kit';
import { formatTime, useLanguage } from '@portage/i18n';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { draftStore, useDraft } from '../../app/draft/draft-store.ts';
import { useEnsureHold, useHoldState } from '../../app/hold/use-hold.ts';

/** Ten more minutes for a hold, asked for once when the form opens. */
function useExtension(): void {
  const { hold } = useDraft();
  const asked = useRef<string | null>(null);
  const id = hold?.id ?? null;
  useEffect(() => {
    if (id === null || asked.current === id) return;
    asked.current = id;
    unwrap(api.POST('/holds/{id}/extend', { params: { path: { id } } }))
      .then((extended) => {
        const current = draftStore.get().hold;
        if (current?.id === id) draftStore.patch({ hold: { ...current, expiresAt: extended.expiresAt } });
      })
      .catch((error: unknown) => {
        // lapsed already: another hold is asked for; every other trouble is left to the booking itself
        if (asProblem(error).code === 'slot_gone' && draftStore.get().hold?.id === id) draftStore.patch({ hold: null });
      });
  }, [id]);
}

/** A calm line: until when the start is kept, or that it is not any more. Never a countdown. */
export function HoldLine() {
  const { t } = useTranslation('payment');
  const language = useLanguage();
  const { hold } = useDraft();
  const state = useHoldState();
  useExtension();
  // when the start is gone the page leaves for the schedule
  useEnsureHold(true);
  if (state !== 'held' || !hold) return null;
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return <Notice>{t('hold.until', { time: formatTime(hold.expiresAt, here, language) })}</Notice>;
}
