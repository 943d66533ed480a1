import { Button } from '@mantine/core';
import { EmptyState, PageHeading } from '@portage/kit';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

import { Gate } from './gate.tsx';
import { PlainPage } from './plain-page.tsx';
import { emailIn } from './expected-email.ts';
import { session, signIn as begin, useSession } from './session.ts';

const desk = '/dashboard/bookings';

function BackHome() {
  const { t } = useTranslation();
  return (
    <Button component={Link} to="/">
      {t('action.backHome')}
    </Button>
  );
}

/** Sign-in without the dashboard; who is signed in already is told so. */
function SignInPage() {
  const { t } = useTranslation(['shell', 'common']);
  const state = useSession();
  const email = state.status === 'signedIn' ? (state.user.email ?? '') : null;
  return (
    <PlainPage>
      <PageHeading
        title={t('shell:gate.signIn')}
        {...(email === null ? {} : { lead: t('shell:account.signedIn', { email }) })}
      />
      {email === null ? <Button onClick={() => void begin(desk)}>{t('common:action.signIn')}</Button> : <BackHome />}
    </PlainPage>
  );
}

/** Sign-up for colleagues: the invitation makes the role, the account is made at the sign-in service. */
function SignUpPage() {
  const { t } = useTranslation('shell');
  return (
    <PlainPage>
      <PageHeading title={t('account.signUp')} lead={t('account.signUpHelp')} />
      <Button onClick={() => void session.signIn(desk, 'signup')}>{t('plain.signUp')}</Button>
    </PlainPage>
  );
}

/** Both ways to a new password begin at the sign-in service. */
function PasswordPage() {
  const { t } = useTranslation('shell');
  return (
    <PlainPage>
      <PageHeading title={t('account.password')} lead={t('account.passwordHelp')} />
      <Button component="a" href="/forgotpassword">
        {t('account.askMail')}
      </Button>
    </PlainPage>
  );
}

/** Shown when nothing else can be: a failure of the server. */
function ServerErrorPage() {
  const { t } = useTranslation();
  return (
    <PlainPage>
      <PageHeading title={t('page.serverError')} />
      <EmptyState title={t('page.persists')} action={<BackHome />} />
    </PlainPage>
  );
}

/** End of the small window in which somebody signed in again. */
function SignedInAgainPage() {
  const { t } = useTranslation('shell');
  useEffect(() => {
    // browsers refuse it for a window that no script opened; the words then say what to do
    if (window.opener) setTimeout(() => window.close(), 400);
  }, []);
  return (
    <PlainPage>
      <PageHeading title={t('again.done')} lead={t('again.close')} />
    </PlainPage>
  );
}

export const signIn = createLazyRoute('/signin')({ component: SignInPage });
export const signUp = createLazyRoute('/signup')({ component: SignUpPage });
export const password = createLazyRoute('/forgotpassword')({ component: PasswordPage });
export const serverError = createLazyRoute('/500')({ component: ServerErrorPage });
export const signedIn = createLazyRoute('/signed-in')({
  component: () => (
    <Gate email={emailIn(location.hash)}>
      <SignedInAgainPage />
    </Gate>
  ),
});
