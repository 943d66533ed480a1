import '@fontsource-variable/hanken-grotesk/index.css';
import '@portage/kit/styles.css';

import { configureClient } from '@portage/api';
import { App, drawBeside, preloadDialogs, takePlace, whenIdle } from '@portage/frame';
import { currentLanguage, type FirstTexts, startI18n } from '@portage/i18n';
import { headingsGoOn } from '@portage/kit';
import { relayFrameCallback } from '@portage/session';

import earlyPages from './early-pages.json';
import { draftStore } from './booking/draft/draft-store.ts';
import { changeEnd } from './booking/draft/ends.ts';
import { applyPrefill } from './features/prefill/prefill.ts';
import firstTexts from './first-texts.json';
import { createAppRouter } from './router.tsx';
import { accessToken, callbackPath, renew, restoreSession, sessionEnded } from './shell/session.ts';
import { actEnded, goesOnWithVisit, keepFocus, typedEarly } from './shell/start-page-handover.ts';
import { bringTypeface } from './shell/typeface.ts';

/** The pages where most visits begin, and their texts beside those that every page needs; the build reads it, too. */
const textsOfPage = earlyPages as Record<string, { texts: FirstTexts }>;

async function start(): Promise<void> {
  configureClient({ accessToken, renew, sessionEnded, language: currentLanguage });
  // a callback page finishes its own sign-in; everywhere else a former session is looked for beside the first paint
  if (location.pathname !== callbackPath) void restoreSession();
  await startI18n([...(firstTexts as FirstTexts), ...(textsOfPage[location.pathname]?.texts ?? [])]);
  applyPrefill(new URL(location.href));
  const root = document.getElementById('root');
  if (!root) return;
  const router = createAppRouter();
  const goesOn = goesOnWithVisit(callbackPath);
  if (goesOn) headingsGoOn();
  // the page that is there already stays until the one asked for can be drawn whole
  await router.load();
  const drawn = await drawBeside(root, <App router={router} />);
  await actEnded();
  for (const { end, text } of typedEarly()) {
    const draft = draftStore.get();
    if (draft.ends[end].place === null) draftStore.patch(changeEnd(draft, end, { typed: text }));
  }
  keepFocus(() => takePlace(root, drawn), goesOn);
  void bringTypeface();
  whenIdle(() => {
    // where nearly everybody goes next; whoever opened another page has it already or needs it later
    if (location.pathname === '/') void router.preloadRoute({ to: '/locations' });
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
