import { Notice } from '@portage/kit';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { useDraft } from '../../booking/draft/draft-store.ts';
import { extendHold, useEnsureHold, useHoldMinutes, useHoldState } from '../../booking/hold/use-hold.ts';

/** Asks for ten more minutes, once for each hold. */
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

/** Says for how many minutes the start is still kept; it never counts seconds down. */
export function HoldLine() {
  const { t } = useTranslation('hold');
  const minutes = useHoldMinutes();
  const state = useHoldState();
  useExtension();
  // when the start is gone the page leaves for the schedule
  useEnsureHold(true);
  if (state !== 'held' || minutes === null) return null;
  return <Notice>{t('left', { count: minutes })}</Notice>;
}
