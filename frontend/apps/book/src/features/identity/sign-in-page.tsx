import { FormShell, useFormShell } from '@portage/forms';
import { Notice, TextField } from '@portage/kit';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './account-page.module.css';
import { AccountPage } from './account-page.tsx';
import { AtProvider } from './at-provider.tsx';
import { AlreadySignedIn } from './already-signed-in.tsx';
import { signInSchema } from './forms.ts';
import { goOn, isDesk, postIdentity, problemText, returnToOf, useTypedEmail } from './identity-api.ts';
import { PasswordField } from './password-field.tsx';
import { useReturnTo } from '../../shell/return-to.ts';
import { callbackPath, useSession } from '../../shell/session.ts';

/**
 * Where somebody who is signed in already goes on to: the page that is named, or, where that is a request of this app to
 * sign in, which has been answered, what signing in leads to. Null where the form is meant for them all the same: another
 * app's request, or a step of the provider.
 */
function onwardFrom(returnTo: string | null, usual: string): string | null {
  if (returnTo === null || !returnTo.startsWith('/identity/')) return returnTo;
  const asked = new URL(returnTo, location.origin);
  const ours = asked.searchParams.get('redirect_uri') === `${location.origin}${callbackPath}`;
  return ours && asked.searchParams.get('prompt') !== 'login' ? usual : null;
}

function EmbeddedSignInPage() {
  const { t } = useTranslation(['identity', 'common', 'person']);
  const search = useLocation({ select: (location) => location.searchStr });
  const query = new URLSearchParams(search);
  const returnTo = returnToOf(search);
  const session = useSession();
  const navigate = useNavigate();
  const onward = onwardFrom(returnTo, useReturnTo());
  const signedIn = session.status === 'signedIn';
  useEffect(() => {
    if (!signedIn || onward === null) return;
    if (isDesk(onward)) location.replace(onward);
    else void navigate({ href: onward, replace: true });
  }, [signedIn, onward, navigate]);
  const labels = { email: t('person:email'), password: t('identity:password.label') };
  const shell = useFormShell({
    schema: signInSchema,
    defaultValues: { email: useTypedEmail(), password: '' },
    labels,
    // tabbing past, or leaving for another way in, is no mistake yet
    check: 'onSubmit',
    send: async (values) =>
      goOn(await postIdentity('sign-in', { ...values, ...(returnTo ? { returnTo } : {}) }), returnTo),
    sayRefusal: problemText,
  });
  const { control } = shell.form;
  const notice = query.get('notice');
  const withEmail = () => ({ email: shell.form.getValues('email') });

  return (
    <AccountPage title={t('identity:signIn.title')} invalid={shell.summary.length > 0}>
      {notice === 'signInToVerify' || notice === 'signInToChangeEmail' || notice === 'linkDead' ? (
        <div className={classes['notice']}>
          <Notice tone={notice === 'linkDead' ? 'warning' : 'info'}>{t(`identity:notice.${notice}`)}</Notice>
        </div>
      ) : null}
      {returnTo ? null : <AlreadySignedIn />}
      <FormShell shell={shell} wide submitLabel={t('common:action.signIn')}>
        <TextField
          control={control}
          name="email"
          label={labels.email}
          type="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
        />
        <PasswordField control={control} name="password" label={labels.password} autoComplete="current-password" />
      </FormShell>
      <div className={classes['links']}>
        <span>
          <span>{t('identity:signIn.noAccount')}</span>
          <Link to="/signup" search state={withEmail}>
            {t('identity:signUp.action')}
          </Link>
        </span>
        <Link to="/forgotpassword" search state={withEmail}>
          {t('identity:forgot.link')}
        </Link>
      </div>
    </AccountPage>
  );
}

/** The sign-in page of the embedded provider. It serves every app of the site. */
export function SignInPage() {
  return (
    <AtProvider purpose="signIn">
      <EmbeddedSignInPage />
    </AtProvider>
  );
}
