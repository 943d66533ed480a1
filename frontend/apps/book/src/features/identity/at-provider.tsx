import { Button } from '@mantine/core';
import { QueryState, useConfigQuery } from '@portage/frame';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';

import { signIn } from '../../shell/session.ts';
import { AccountPage } from './account-page.tsx';
import { returnToOf } from './identity-api.ts';

interface AtProviderProps {
  /** What the page is for: `signIn` and `signUp` go on to the provider at once, `password` says where passwords are. */
  purpose: 'signIn' | 'signUp' | 'password';
  /** The page of the embedded provider. */
  children: ReactNode;
}

/** The account pages are the embedded provider's: with an external one they lead to it. */
export function AtProvider({ purpose, children }: AtProviderProps) {
  const { t } = useTranslation(['identity', 'common']);
  const settings = useConfigQuery();
  const config = settings.data;
  const search = useLocation({ select: (location) => location.searchStr });
  const external = config?.signIn.provider === 'external';
  const leave = external && purpose !== 'password';
  const returnTo = returnToOf(search) ?? '/profile';

  useEffect(() => {
    if (leave) void signIn(returnTo, purpose === 'signUp' ? 'signup' : undefined);
  }, [leave, purpose, returnTo]);

  const titles = {
    signIn: 'identity:signIn.title',
    signUp: 'identity:signUp.title',
    password: 'identity:forgot.title',
  } as const;
  if (!config) {
    const renderFailed = (failure: ReactNode) => <AccountPage title={t(titles[purpose])}>{failure}</AccountPage>;
    return (
      <QueryState query={settings} renderFailed={renderFailed}>
        {() => null}
      </QueryState>
    );
  }
  if (!external) return children;
  const host = new URL(config.issuer).host;
  return (
    <AccountPage title={t(titles[purpose])}>
      <p>{t(purpose === 'password' ? 'identity:provider.password' : 'identity:provider.leaving', { host })}</p>
      <Button size="lg" onClick={() => void signIn(returnTo)}>
        {t('identity:provider.action', { host })}
      </Button>
    </AccountPage>
  );
}
