import { Notice } from '@portage/kit';
import { formatClock, useLanguage } from '@portage/i18n';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { useDraft } from '../../app/draft/draft-store.ts';
import { extendHold, useEnsureHold, useHoldEnd, useHoldState } from '../../app/hold/use-hold.ts';

/** Asks once for each hold. */
function useExtension(): void {
  const { hold } = useDraft();
  const asked = useRef<string | null>(null);
  const id = hold?.id ?? null;
  useEffect(() => {
    if (id === null || asked.current === id) return;
    asked.current = id;
    void extendHold(id);
  }, [id]);
}

/** A calm line: until when the start is kept, or that it is not any more. Never a countdown. */
export function HoldLine() {
  const { t } = useTranslation('payment');
  const language = useLanguage();
  const end = useHoldEnd();
  const state = useHoldState();
  useExtension();
  // when the start is gone the page leaves for the schedule
  useEnsureHold(true);
  if (state !== 'held' || end === null) return null;
  return <Notice>{t('hold.until', { time: formatClock(end, language) })}</Notice>;
}
