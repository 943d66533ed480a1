import { Button } from '@mantine/core';
import { asProblem } from '@portage/api';
import { profileQuery, QueryState, queryClient, useConfig, useRetry } from '@portage/frame';
import { LoadingState, Notice, PageHeading } from '@portage/kit';
import { SessionNotice } from '@portage/session';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { ConfirmAddress, confirmedQuery } from './confirm-address.tsx';
import { PlainPage } from './plain-page.tsx';
import { forgetSeen, readSeen } from './seen.ts';
import { session, signIn, signOut, useSession } from './session.ts';
import { SignInAgain } from './sign-in-again.tsx';
import { hasUnsaved } from './unsaved.ts';

/** Roles of the people who work at the desk. The server checks every call; this check only avoids a page full of refusals. */
const staff = new Set(['ops', 'admin']);
/** Who may be on a crew: one person can be mate and staff. */
const crews = new Set(['mate', ...staff]);

/** Whose pages are on screen: they stay there while that person signs in again to save what they typed. */
interface Owner {
  subject: string;
  email: string;
}

interface GateProps {
  children: ReactNode;
  crew?: boolean;
  /** Who is expected to sign in here. */
  email?: string | undefined;
}

/**
 * Shows its children to staff only; with `crew`, to mates as well. Sends people who are not signed in to the sign-in page, and tells customers where
 * their own pages are. When the session ends over something unsaved, the page stays behind a question to sign in again.
 */
export function Gate({ children, crew = false, email }: GateProps) {
  const { t } = useTranslation(['shell', 'common']);
  const state = useSession();
  const here = useLocation({ select: (location) => location.publicHref });
  const home = useLocation({ select: (location) => location.state.home === true });
  const navigate = useNavigate();
  const profile = useQuery({ ...profileQuery, enabled: state.status === 'signedIn' });
  const embedded = useConfig()?.signIn.provider === 'embedded';
  // an address gives its role once it is confirmed; what the token says of it may be older than the link that was opened
  const doubted = state.status === 'signedIn' && state.user['email_verified'] === false && embedded;
  const asked = doubted && profile.data?.role === 'customer';
  const confirmed = useQuery({ ...confirmedQuery, enabled: asked });
  const owner = useRef<Owner | null>(null);
  const signedOut = state.status === 'anonymous' && state.signedOut === true;
  const mustSignIn = state.status === 'anonymous' && !state.ended && !state.unreached && !signedOut;

  const unreached = state.status === 'anonymous' && state.unreached === true;
  useRetry(crew && unreached, () => session.restoreSession(true));

  const subject = state.status === 'signedIn' ? state.user.sub : null;
  const known = subject !== null && profile.data && (crew ? crews : staff).has(profile.data.role) ? profile.data : null;
  const stranger = owner.current !== null && subject !== null && subject !== owner.current.subject;
  const refused = profile.isError && asProblem(profile.error).status === 403;
  const held = owner.current !== null && !signedOut && !refused && (!known || stranger) && hasUnsaved();
  if (known && !held) owner.current = { subject: subject ?? '', email: known.email };
  if (!known && !held) owner.current = null;

  useEffect(() => {
    if (!mustSignIn || held) return;
    // the session of whoever saw them is over
    forgetSeen();
    void signIn(here, undefined, email);
  }, [mustSignIn, held, here, email]);
  // the desk's own address, which the icon on a mate's telephone has, too, leads them to their jobs
  const toJobs = home && !known && profile.data?.role === 'mate';
  useEffect(() => {
    if (toJobs) void navigate({ to: '/my-jobs', replace: true });
  }, [toJobs, navigate]);
  useEffect(() => {
    // what failed while nobody was signed in is asked for again
    if (subject !== null) void queryClient.invalidateQueries({ predicate: (query) => query.state.status === 'error' });
  }, [subject]);

  if (known || held) {
    return (
      <>
        {children}
        {held ? (
          <SignInAgain
            email={owner.current?.email ?? ''}
            stranger={stranger}
            onDrop={() => {
              owner.current = null;
              location.reload();
            }}
          />
        ) : null}
      </>
    );
  }
  // without network a mate has the jobs they saw last: nothing of them is asked of the server before it knows who asks
  if (crew && unreached && readSeen()) return children;
  if (state.status === 'anonymous') {
    return (
      <PlainPage>
        <PageHeading title={t('shell:gate.signIn')} />
        {mustSignIn ? <LoadingState rows={2} /> : <SessionNotice session={session} here={here} />}
        {signedOut ? <Button onClick={() => void signIn(here)}>{t('common:action.signIn')}</Button> : null}
      </PlainPage>
    );
  }
  if (asked && confirmed.data !== true && !confirmed.isError) {
    return (
      <PlainPage>
        <PageHeading title={t('shell:confirm.title')} />
        {confirmed.isPending ? (
          <LoadingState rows={3} />
        ) : (
          <ConfirmAddress
            email={profile.data?.email ?? ''}
            checking={confirmed.isFetching || profile.isFetching}
            onConfirmed={() => void Promise.all([confirmed.refetch(), profile.refetch()])}
            onOther={() => void signOut()}
          />
        )}
      </PlainPage>
    );
  }
  return (
    <PlainPage>
      <PageHeading title={profile.data ? t('shell:gate.refused') : t('shell:gate.checking')} />
      <QueryState query={profile} rows={3}>
        {(own) => (
          <Notice
            tone="warning"
            action={
              <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8 }}>
                {own.role === 'mate' ? (
                  <Button component="a" href="/dashboard/my-jobs">
                    {t('shell:gate.myJobs')}
                  </Button>
                ) : null}
                <Button component="a" href="/profile" {...(own.role === 'mate' ? { variant: 'default' } : {})}>
                  {t('shell:gate.ownPages')}
                </Button>
                <Button variant="default" onClick={() => void signOut()}>
                  {t('shell:gate.other')}
                </Button>
              </div>
            }
          >
            {own.role === 'mate'
              ? t('shell:gate.refusedMate', { email: own.email })
              : own.role === 'partner'
                ? t('shell:gate.refusedPartner', { email: own.email })
                : t('shell:gate.refusedHelp', { email: own.email })}
          </Notice>
        )}
      </QueryState>
    </PlainPage>
  );
}
