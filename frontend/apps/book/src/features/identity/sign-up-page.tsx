import type { PolicyTerm, PublicConfig } from '@portage/api';
import { chargeTerms, useChangesRule, usePolicyValues, useTermText } from '@portage/domain';
import { FormShell, useFormShell } from '@portage/forms';
import { useConfig } from '@portage/frame';
import { currentLanguage, useLanguage } from '@portage/i18n';
import { CheckboxField, TextField } from '@portage/kit';
import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import classes from './account-page.module.css';
import { AccountPage } from './account-page.tsx';
import { AtProvider } from './at-provider.tsx';
import { AlreadySignedIn } from './already-signed-in.tsx';
import { passwordLength, signUpSchema } from './forms.ts';
import { goOn, postIdentity, problemText, returnToOf, useTypedEmail } from './identity-api.ts';
import { PasswordField } from './password-field.tsx';

function EmbeddedSignUpPage() {
  const { t } = useTranslation(['identity', 'common', 'person']);
  const language = useLanguage();
  const search = useLocation({ select: (location) => location.searchStr });
  const returnTo = returnToOf(search);
  const labels = {
    firstName: t('person:firstName'),
    lastName: t('person:lastName'),
    email: t('person:email'),
    phone: t('person:phone'),
    password: t('identity:password.label'),
    acceptTerms: t('identity:terms.label'),
  };
  const shell = useFormShell({
    schema: signUpSchema,
    defaultValues: {
      firstName: '',
      lastName: '',
      email: useTypedEmail(),
      phone: '',
      password: '',
      acceptTerms: false,
    },
    labels,
    send: async (values) => {
      const body = { ...values, language: currentLanguage(), ...(returnTo ? { returnTo } : {}) };
      await goOn(await postIdentity('sign-up', body), returnTo);
    },
    sayRefusal: problemText,
  });
  const { control } = shell.form;

  return (
    <AccountPage title={t('identity:signUp.title')} lead={t('identity:signUp.lead')} invalid={shell.summary.length > 0}>
      {returnTo ? null : <AlreadySignedIn />}
      <FormShell shell={shell} wide submitLabel={t('identity:signUp.action')}>
        <div className={classes['names']}>
          {/* a Chinese name begins with the family's */}
          {(language === 'zh' ? (['lastName', 'firstName'] as const) : (['firstName', 'lastName'] as const)).map(
            (name) => (
              <TextField
                key={name}
                control={control}
                name={name}
                label={labels[name]}
                autoComplete={name === 'firstName' ? 'given-name' : 'family-name'}
              />
            ),
          )}
        </div>
        <TextField
          control={control}
          name="email"
          label={labels.email}
          description={t('identity:email.why')}
          type="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextField
          control={control}
          name="phone"
          label={labels.phone}
          optional
          description={t('person:phoneWhy')}
          type="tel"
          autoComplete="tel"
        />
        <PasswordField
          control={control}
          name="password"
          label={labels.password}
          description={t('identity:password.rule', { min: passwordLength.min })}
          autoComplete="new-password"
        />
        <div>
          <CheckboxField control={control} name="acceptTerms" label={labels.acceptTerms} />
          <Terms />
        </div>
      </FormShell>
      <div className={classes['links']}>
        <span>
          <span>{t('identity:signUp.haveAccount')}</span>
          <Link to="/signin" search state={() => ({ email: shell.form.getValues('email') })}>
            {t('common:action.signIn')}
          </Link>
        </span>
      </div>
    </AccountPage>
  );
}

/** The terms beside the box that accepts them, folded away but not on another page. */
function Terms() {
  const { t } = useTranslation('identity');
  const policy = useConfig()?.policy;
  return (
    <details className={classes['terms']}>
      <summary>{t('terms.read')}</summary>
      <ul className="pg-small">
        <li>{t('terms.price')}</li>
        {policy ? <PolicyTerms policy={policy} /> : null}
        <li>{t('terms.data')}</li>
      </ul>
    </details>
  );
}

/** What the figures of the policy make true; two sentences for all of it where they are of the usual kind. */
function PolicyTerms({ policy }: { policy: PublicConfig['policy'] }) {
  const { t } = useTranslation('identity');
  const { figures, terms, differsByProvince } = policy;
  const values = usePolicyValues(figures);
  const termText = useTermText();
  const changes = useChangesRule()(policy);
  const has = (...wanted: PolicyTerm[]) => wanted.every((term) => terms.includes(term));
  const charges = chargeTerms(terms);
  const cancelling = terms.filter((term) => !charges.includes(term) && term !== 'changes' && term !== 'changesAtOnce');
  const one = (term: PolicyTerm) => <li key={term}>{termText(term, figures)}</li>;
  return (
    <>
      {has('deposit', 'balance') || has('depositOnly', 'balance') ? (
        <li>{t('terms.charges', values)}</li>
      ) : (
        charges.map(one)
      )}
      {differsByProvince ? (
        <li>{t('terms.whereFrom')}</li>
      ) : has('cancelFree', 'depositKept', 'lockRest') ? (
        <li>{t('terms.cancel', values)}</li>
      ) : (
        cancelling.map(one)
      )}
      {changes ? <li>{changes}</li> : null}
    </>
  );
}

/** The sign-up page of the embedded provider: an account, signed in at once, and on with the booking. */
export function SignUpPage() {
  return (
    <AtProvider purpose="signUp">
      <EmbeddedSignUpPage />
    </AtProvider>
  );
}
