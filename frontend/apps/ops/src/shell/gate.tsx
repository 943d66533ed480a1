import { Button } from '@mantine/core';
import { profileQuery, QueryState } from '@portage/frame';
import { LoadingState, Notice, PageHeading } from '@portage/kit';
import { SessionNotice } from '@portage/session';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';

import { PlainPage } from './plain-page.tsx';
import { session, signIn, signOut, useSession } from './session.ts';

/** Roles of the people who work at the desk. The server checks every call; this check only avoids a page full of refusals. */
const staff = new Set(['ops', 'admin']);

/** Shows its children to staff only. Sends people who are not signed in to the sign-in page, and tells customers where their own pages are. */
export function Gate({ children }: { children: ReactNode }) {
  const { t } = useTranslation(['shell', 'common']);
  const state = useSession();
  const here = useLocation({ select: (location) => location.publicHref });
  const profile = useQuery({ ...profileQuery, enabled: state.status === 'signedIn' });
  const signedOut = state.status === 'anonymous' && state.signedOut === true;
  const mustSignIn = state.status === 'anonymous' && !state.ended && !state.unreached && !signedOut;
  useEffect(() => {
    if (mustSignIn) void signIn(here);
  }, [mustSignIn, here]);

  if (state.status === 'anonymous') {
    return (
      <PlainPage>
        <PageHeading title={t('shell:gate.signIn')} />
        {mustSignIn ? <LoadingState rows={2} /> : <SessionNotice session={session} here={here} />}
        {signedOut ? <Button onClick={() => void signIn(here)}>{t('common:action.signIn')}</Button> : null}
      </PlainPage>
    );
  }
  if (profile.data && staff.has(profile.data.role)) return children;
  return (
    <PlainPage>
      <PageHeading title={profile.data ? t('shell:gate.refused') : t('shell:gate.checking')} />
      <QueryState query={profile} rows={3}>
        {(own) => (
          <Notice
            tone="warning"
            action={
              <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8 }}>
                <Button component="a" href="/profile">
                  {t('shell:gate.ownPages')}
                </Button>
                <Button variant="default" onClick={() => void signOut()}>
                  {t('shell:gate.other')}
                </Button>
              </div>
            }
          >
            {t('shell:gate.refusedHelp', { email: own.email })}
          </Notice>
        )}
      </QueryState>
    </PlainPage>
  );
}
