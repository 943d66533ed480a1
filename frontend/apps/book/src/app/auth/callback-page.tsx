import { Button } from '@mantine/core';
import { LoadingState, Notice, PageHeading } from '@portage/kit';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { completeSignIn, signIn } from './session.ts';

// React may mount twice in development; the code in the address works once
let running: Promise<string> | null = null;

/** Where the identity provider sends the person back: takes the tokens and goes on to where they were. */
export function CallbackPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    let gone = false;
    running ??= completeSignIn(new URL(location.href));
    running
      .then((returnTo) => (gone ? undefined : navigate({ href: returnTo, replace: true })))
      .catch(() => {
        if (!gone) setFailed(true);
      })
      .finally(() => {
        running = null;
      });
    return () => {
      gone = true;
    };
  }, [navigate]);

  if (!failed) return <LoadingState />;
  return (
    <>
      <PageHeading title={t('action.signIn')} />
      <Notice
        tone="error"
        live
        title={t('page.proceedFailed')}
        action={<Button onClick={() => void signIn('/')}>{t('action.signIn')}</Button>}
      >
        {t('page.persists')}
      </Notice>
    </>
  );
}
