import { Modal } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './dialog.module.css';

interface DialogProps {
  opened: boolean;
  title: string;
  children?: ReactNode;
  /** The answers, the safe one first. */
  actions?: ReactNode;
  onClose: () => void;
}

/**
 * Gives the focus back to who had it when the dialog is taken away while it is open. A dialog that stays and is closed does
 * so by itself.
 */
function useFocusGivenBack() {
  const [before] = useState(() => document.activeElement);
  useEffect(() => {
    return () => {
      // once the dialog is gone, and only where nobody else took the focus
      setTimeout(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body;
        if (isLost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
      });
    };
  }, [before]);
}

/** The frame of every dialog: title, button to close, content, and the answers at the end. */
export function Dialog({ opened, title, children, actions, onClose }: DialogProps) {
  const { t } = useTranslation();
  useFocusGivenBack();
  return (
    // put together by hand: the ready-made one has a <header>, which would be a second banner of the page
    <Modal.Root opened={opened} onClose={onClose} centered radius="lg">
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body className={classes['dialog'] ?? ''}>
          <div className={classes['top']}>
            <Modal.Title className={classes['title'] ?? ''}>{title}</Modal.Title>
            <Modal.CloseButton aria-label={t('action.close')} size="lg" />
          </div>
          {children ? <div className={classes['body']}>{children}</div> : null}
          {actions ? <div className={classes['actions']}>{actions}</div> : null}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
