import { LanguageNotice, useConfig, useFailedLanguage } from '@portage/frame';
import { Notice } from '@portage/kit';
import { SessionNotice } from '@portage/session';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './banners.module.css';
import { isSafari, watchForAdBlock } from './browser-checks.ts';
import { session, useSession } from './session.ts';

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
  const { t } = useTranslation('shell');
  const config = useConfig();
  // the server wrote the mode into the page: a notice that came with an answer would push the page down
  const demo = (config?.mode ?? document.documentElement.dataset['mode']) === 'demo';
  const here = useLocation({ select: (location) => location.href });
  const online = useOnline();
  const state = useSession();
  const trouble = state.status === 'anonymous' && (state.ended === true || state.unreached === true);
  const language = useFailedLanguage();
  const [safari, setSafari] = useState(() => isSafari(navigator.userAgent) && !remembered('portage.notice.safari'));
  const [adBlock, setAdBlock] = useState(false);

  useEffect(() => {
    if (remembered('portage.notice.adBlock')) return;
    return watchForAdBlock(setAdBlock);
  }, []);

  if (!demo && online && !trouble && !language && !safari && !adBlock) return null;
  return (
    <section aria-label={t('notice.label')} className={classes['root']}>
      {demo ? <p className={classes['demo']}>{t('demo.banner')}</p> : null}
      {trouble ? (
        <div className={classes['notice']}>
          <SessionNotice session={session} here={here} />
        </div>
      ) : null}
      {online ? null : (
        <div className={classes['notice']}>
          <Notice tone="warning" live>
            {t('notice.offline')}
          </Notice>
        </div>
      )}
      {language ? (
        <div className={classes['notice']}>
          <LanguageNotice />
        </div>
      ) : null}
      {safari ? (
        <div className={classes['notice']}>
          <Notice
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
