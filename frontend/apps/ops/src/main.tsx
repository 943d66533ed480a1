import '@fontsource-variable/hanken-grotesk/index.css';
import '@portage/kit/styles.css';
import '@portage/kit/desk/styles.css';

import { configureClient } from '@portage/api';
import { App, drawBeside, preloadDialogs, takePlace, whenIdle } from '@portage/frame';
import { currentLanguage, type FirstTexts, startI18n } from '@portage/i18n';
import { relayFrameCallback } from '@portage/session';

import firstTexts from './first-texts.json';
import { createAppRouter } from './router.tsx';
import { preloadOverlays } from './shell/overlays.tsx';
import { accessToken, callbackPath, renew, restoreSession, sessionEnded } from './shell/session.ts';

async function start(): Promise<void> {
  configureClient({ accessToken, renew, sessionEnded, language: currentLanguage });
  // a callback page finishes its own sign-in; everywhere else a former session is looked for beside the first paint
  if (location.pathname !== callbackPath) void restoreSession();
  await startI18n(firstTexts as FirstTexts);
  const root = document.getElementById('root');
  if (!root) return;
  const router = createAppRouter();
  // the bar that is there already stays until the page asked for can be drawn whole
  await router.load();
  takePlace(root, await drawBeside(root, <App router={router} />));
  whenIdle(() => {
    void router.preloadRoute({ to: '/bookings' });
    preloadOverlays();
    preloadDialogs();
  });
}

// a hidden sign-in frame only relays its address; mounting the app there would be waste
if (!relayFrameCallback(callbackPath)) {
  start().catch((error: unknown) => {
    console.error(error);
    // nothing of the app is there to say it (load-trouble.ts)
    dispatchEvent(new Event('portage:lost'));
  });
}
