import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
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

/** The frame of every dialog: title, button to close, content, and the answers at the end. */
export function Dialog({ opened, title, children, actions, onClose }: DialogProps) {
  const { t } = useTranslation();
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
