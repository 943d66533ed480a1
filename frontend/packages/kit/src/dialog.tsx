import { Modal } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './dialog.module.css';

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

/** Once the dialog is gone or going, and only where nobody else took the focus; `left` had it in the dialog. */
function giveBack(before: Element | null, left: Element | null): void {
  setTimeout(() => {
    const now = document.activeElement;
    const isLost = now === null || now === document.body || now === left;
    if (isLost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
  });
}

/**
 * Gives the focus back to who had it, where the library does not: when the dialog is taken away while it is open, and at
 * the first closing of one that was open from the beginning, as one is that was fetched by a press.
 */
function useFocusGivenBack(opened: boolean) {
  const [before] = useState(() => document.activeElement);
  const fromTheBeginning = useRef(opened);
  useEffect(() => {
    if (opened || !fromTheBeginning.current) return;
    fromTheBeginning.current = false;
    const had = document.activeElement;
    giveBack(before, had?.closest('[role="dialog"]') ? had : null);
  }, [opened, before]);
  useEffect(() => {
    return () => giveBack(before, null);
  }, [before]);
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
      <Modal.Content>
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
