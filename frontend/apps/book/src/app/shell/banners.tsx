import { Button } from '@mantine/core';
import { Notice } from '@portage/kit';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';

import { dismissEnded, restoreSession, signIn, useSession } from '../auth/session.ts';
import { useConfig } from '../config.ts';
import classes from './banners.module.css';
import { isSafari, watchForAdBlock } from './browser-checks.ts';

function remembered(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

function remember(key: string): void {
  try {
    localStorage.setItem(key, '1');
  } catch {
    // it will be shown again next time, which harms nobody
  }
}

function useOnline(): boolean {
  return useSyncExternalStore(
    (changed) => {
      addEventListener('online', changed);
      addEventListener('offline', changed);
      return () => {
        removeEventListener('online', changed);
        removeEventListener('offline', changed);
      };
    },
    () => navigator.onLine,
  );
}

/** Notices that belong to the whole app. None of them blocks anything. */
export function Banners() {
  const { t } = useTranslation();
  const config = useConfig();
  const here = useLocation({ select: (location) => location.href });
  const online = useOnline();
  const session = useSession();
  const { ended, unreached } = session.status === 'anonymous' ? session : {};
  const [safari, setSafari] = useState(() => isSafari(navigator.userAgent) && !remembered('portage.notice.safari'));
  const [adBlock, setAdBlock] = useState(false);

  useEffect(() => {
    if (remembered('portage.notice.adBlock')) return;
    return watchForAdBlock(setAdBlock);
  }, []);

  if (config?.mode !== 'demo' && online && !ended && !unreached && !safari && !adBlock) return null;
  return (
    <section aria-label={t('notice.label')}>
      {config?.mode === 'demo' ? <p className={classes['demo']}>{t('demo.banner')}</p> : null}
      {ended || unreached ? (
        <div className={classes['notice']}>
          <Notice
            tone="warning"
            live
            title={t(ended ? 'session.ended' : 'signTrouble.signIn')}
            onDismiss={dismissEnded}
            action={
              <Button size="sm" onClick={() => void (ended ? signIn(here) : restoreSession())}>
                {t(ended ? 'action.signIn' : 'action.retry')}
              </Button>
            }
          >
            {t(ended ? 'session.endedHelp' : 'signTrouble.signInHelp')}
          </Notice>
        </div>
      ) : null}
      {online ? null : (
        <div className={classes['notice']}>
          <Notice tone="warning" live>
            {t('app.offline')}
          </Notice>
        </div>
      )}
      {safari ? (
        <div className={classes['notice']}>
          <Notice
            tone="warning"
            onDismiss={() => {
              remember('portage.notice.safari');
              setSafari(false);
            }}
          >
            {t('notice.safari')}
          </Notice>
        </div>
      ) : null}
      {adBlock ? (
        <div className={classes['notice']}>
          <Notice
            tone="warning"
            onDismiss={() => {
              remember('portage.notice.adBlock');
              setAdBlock(false);
            }}
          >
            {t('notice.adBlock')}
          </Notice>
        </div>
      ) : null}
    </section>
  );
}
