import { Button } from '@mantine/core';
import { LoadingState, Notice, PageHeading } from '@portage/kit';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Session } from './session.ts';

// React may mount twice in development; the code in the address works once
let running: Promise<string> | null = null;

interface CallbackPageProps {
  session: Session;
  /** Goes on to where the person was. */
  onDone: (returnTo: string) => unknown;
}

/** Where the identity provider sends the person back: takes the tokens and goes on to where they were. */
export function CallbackPage({ session, onDone }: CallbackPageProps) {
  const { t } = useTranslation();
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    let gone = false;
    running ??= session.completeSignIn(new URL(location.href));
    running
      .then((returnTo) => (gone ? undefined : onDone(returnTo)))
      .catch(() => {
        if (!gone) setFailed(true);
      })
      .finally(() => {
        running = null;
      });
    return () => {
      gone = true;
    };
  }, [session, onDone]);

  if (!failed) return <LoadingState />;
  return (
    <>
      <PageHeading title={t('action.signIn')} />
      <Notice
        tone="error"
        live
        title={t('page.proceedFailed')}
        action={<Button onClick={() => void session.signInAgain(new URL(location.href))}>{t('action.signIn')}</Button>}
      >
        {t('page.persists')}
      </Notice>
    </>
  );
}
