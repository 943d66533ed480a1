import { Button } from '@mantine/core';
import { leaveGuard } from '@portage/frame';
import { useId, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { expecting } from './expected-email.ts';
import classes from './sign-in-again.module.css';

interface SignInAgainProps {
  /** The account that the typed things belong to. */
  email: string;
  /** Somebody else is signed in now. */
  stranger: boolean;
  onDrop: () => void;
}

const lookMs = 100;
const longestMs = 10_000;

/** A button that what is asked anew keeps from being pressed takes no focus: it gets it as soon as it can, unless somebody went elsewhere. */
function giveBack(had: HTMLElement): void {
  const until = Date.now() + longestMs;
  const look = () => {
    const now = document.activeElement;
    if (!had.isConnected || (now !== null && now !== document.body)) return;
    had.focus();
    if (document.activeElement !== had && Date.now() < until) setTimeout(look, lookMs);
  };
  setTimeout(look);
}

/** Path of the page that the small window ends on. */
export const signedInAgainPath = '/dashboard/signed-in';

/**
 * Covers the page of a session that has ended, and lets its person sign in again in a window of its own. This tab hears
 * of that from the session itself and goes on. The browser's own dialog, because it needs no code that the first page
 * does without, or that would have to be fetched when the connection may be gone as well.
 */
export function SignInAgain({ email, stranger, onDrop }: SignInAgainProps) {
  const { t } = useTranslation('shell');
  const [title, text] = [useId(), useId()];
  const cover = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = cover.current;
    const had = document.activeElement;
    if (!dialog?.open) dialog?.showModal();
    return () => {
      // closed before it is taken away, it gives the focus back to the field that had it
      dialog?.close();
      if (had instanceof HTMLElement && had !== document.body) giveBack(had);
    };
  }, []);
  return (
    // the handlers only keep it open; everything in it is operated by its own buttons
    <dialog
      ref={cover}
      // in words, too: the keys of the page behind ask for it
      role="alertdialog"
      aria-labelledby={title}
      aria-describedby={text}
      className={classes['cover']}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.preventDefault();
      }}
      onCancel={(event) => event.preventDefault()}
      // some engines close it at the second try whatever was said to the first
      onClose={(event) => event.currentTarget.showModal()}
    >
      <div className={classes['box']}>
        <h2 id={title} className={classes['title']}>
          {t('again.title')}
        </h2>
        <p id={text} role="alert">
          {stranger ? t('again.other', { email }) : t('again.text')}
        </p>
        <div className={classes['actions']}>
          <Button component="a" href={expecting(signedInAgainPath, email)} target="_blank" rel="opener">
            {t('again.open')}
          </Button>
          <Button
            variant="default"
            onClick={() => {
              leaveGuard.suspend();
              onDrop();
            }}
          >
            {t('again.drop')}
          </Button>
        </div>
      </div>
    </dialog>
  );
}
