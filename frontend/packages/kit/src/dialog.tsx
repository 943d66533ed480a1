import { Modal } from '@mantine/core';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './dialog.module.css';
import { beside, focusBeside } from './lead-to-what-comes.ts';

interface DialogProps {
  opened: boolean;
  title: string;
  children?: ReactNode;
  /** The answers, the safe one first. */
  actions?: ReactNode;
  onClose: () => void;
  /** Over the whole window, for a long list on a telephone: title and answers stay in view while it is scrolled. */
  whole?: boolean;
}

/** Who had the focus when a dialog opened, and what stands beside that. */
interface Before {
  had: HTMLElement;
  beside: HTMLElement[];
}

function focusNow(): Before | null {
  const had = document.activeElement;
  return had instanceof HTMLElement && had !== document.body ? { had, beside: beside(had) } : null;
}

/**
 * Once the dialog is gone or going, and only where nobody else took the focus; `left` had it in the dialog. What opened
 * it may have gone with what was done in it: then the next control takes the focus.
 */
function giveBack(before: Before | null, left: Element | null): void {
  setTimeout(() => {
    const now = document.activeElement;
    const isLost = now === null || now === document.body || now === left;
    if (!isLost || !before) return;
    if (before.had.isConnected) before.had.focus({ preventScroll: true });
    else focusBeside(before.beside);
  });
}

/**
 * Gives the focus back to who had it, where the library does not: when the dialog is taken away while it is open, at
 * the first closing of one that was open from the beginning, as one is that was fetched by a press, and where what
 * opened it is gone.
 */
function useFocusGivenBack(opened: boolean) {
  const [first] = useState(focusNow);
  const before = useRef(first);
  const isOpen = useRef(opened);
  useLayoutEffect(() => {
    // one that opens later: the library moves the focus after this
    if (opened && !isOpen.current) before.current = focusNow();
  }, [opened]);
  useEffect(() => {
    const closes = isOpen.current && !opened;
    isOpen.current = opened;
    if (!closes) return;
    const had = document.activeElement;
    giveBack(before.current, had?.closest('[role="dialog"]') ? had : null);
  }, [opened]);
  useEffect(() => {
    return () => {
      if (isOpen.current) giveBack(before.current, null);
    };
  }, []);
}

/** The frame of every dialog: title, button to close, content, and the answers at the end. */
export function Dialog({ opened, title, children, actions, onClose, whole = false }: DialogProps) {
  const { t } = useTranslation();
  useFocusGivenBack(opened);
  const inside = (
    <>
      <div className={classes['top']}>
        <Modal.Title className={classes['title'] ?? ''}>{title}</Modal.Title>
        <Modal.CloseButton aria-label={t('action.close')} size="lg" />
      </div>
      {children ? <div className={classes['body']}>{children}</div> : null}
      {actions ? <div className={classes['actions']}>{actions}</div> : null}
    </>
  );
  return (
    // put together by hand: the ready-made one has a <header>, which would be a second banner of the page
    <Modal.Root opened={opened} onClose={onClose} centered={!whole} fullScreen={whole} radius="lg">
      <Modal.Overlay />
      <Modal.Content className={(whole ? null : classes['content']) ?? ''}>
        {whole ? (
          // no body of the library: all of a long list would be read out as what describes the dialog
          <div className={`${classes['dialog']} ${classes['whole']}`}>{inside}</div>
        ) : (
          <Modal.Body className={classes['dialog'] ?? ''}>{inside}</Modal.Body>
        )}
      </Modal.Content>
    </Modal.Root>
  );
}
