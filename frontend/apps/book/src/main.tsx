import '@fontsource-variable/hanken-grotesk/index.css';
import '@portage/kit/styles.css';

import { configureClient } from '@portage/api';
import { currentLanguage, startI18n } from '@portage/i18n';
import { createRoot } from 'react-dom/client';

import { App } from './app/app.tsx';
import { relayFrameCallback } from './app/auth/oidc.ts';
import { accessToken, renew, restoreSession, sessionEnded } from './app/auth/session.ts';
import { createAppRouter } from './app/router.tsx';
import { applyPrefill } from './features/prefill/prefill.ts';

/** Texts of the pages where most visits begin. */
const firstTexts: Record<string, Parameters<typeof startI18n>[0]> = {
  '/': ['start'],
  '/locations': ['locations'],
  '/signin': ['identity'],
};

async function start(): Promise<void> {
  configureClient({ accessToken, renew, sessionEnded, language: currentLanguage });
  // a callback page finishes its own sign-in; everywhere else a former session is looked for beside the first paint
  if (location.pathname !== '/callback') void restoreSession();
  await startI18n(firstTexts[location.pathname]);
  applyPrefill(new URL(location.href));
  const root = document.getElementById('root');
  if (root) createRoot(root).render(<App router={createAppRouter()} />);
}

// a hidden sign-in frame only relays its address; mounting the app there would be waste
if (!relayFrameCallback()) void start();
