import { Button } from '@mantine/core';
import { useRetry } from '@portage/frame';
import { leadToWhatComes, Notice } from '@portage/kit';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';

import type { Session } from './session.ts';

/** Says that the session has ended, or that a former one could not be asked after, with the way on. */
export function SessionNotice({ session, here }: { session: Session; here: string }) {
  const { t } = useTranslation(['common', 'session']);
  const state = useSyncExternalStore(session.subscribe, session.current);
  useRetry(state.status === 'anonymous' && state.unreached === true, () => session.restoreSession(true));
  if (state.status !== 'anonymous' || !(state.ended || state.unreached)) return null;
  const { ended } = state;
  return (
    <Notice
      tone="warning"
      live
      title={t(ended ? 'session:ended.title' : 'session:trouble.signIn')}
      onDismiss={session.dismissEnded}
      action={
        <Button
          size="sm"
          onClick={(event) => {
            if (!ended) leadToWhatComes(event.currentTarget);
            void (ended ? session.signIn(here) : session.restoreSession());
          }}
        >
          {t(ended ? 'action.signIn' : 'action.retry')}
        </Button>
      }
    >
      {t(ended ? 'session:ended.help' : 'session:trouble.signInHelp')}
    </Notice>
  );
}
