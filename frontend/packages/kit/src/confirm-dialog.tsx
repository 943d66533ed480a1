import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './confirm-dialog.module.css';

interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  children?: ReactNode;
  confirmLabel?: string;
  cancelLabel?: string;
  danger?: boolean;
  loading?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before something that cannot be taken back. The safe answer comes first and gets the focus. */
export function ConfirmDialog({
  opened,
  title,
  children,
  confirmLabel,
  cancelLabel,
  danger = false,
  loading = false,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  const { t } = useTranslation();
  return (
    // put together by hand: the ready-made one has a <header>, which would be a second banner of the page
    <Modal.Root opened={opened} onClose={onCancel}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body className={classes['dialog'] ?? ''}>
          <div className={classes['top']}>
            <Modal.Title className={classes['title'] ?? ''}>{title}</Modal.Title>
            <Modal.CloseButton aria-label={t('action.close')} size="lg" />
          </div>
          {children ? <div className={classes['body']}>{children}</div> : null}
          <div className={classes['actions']}>
            <Button variant="default" onClick={onCancel} data-autofocus>
              {cancelLabel ?? t('action.cancel')}
            </Button>
            <Button color={danger ? 'red.6' : 'spruce'} onClick={onConfirm} loading={loading}>
              {confirmLabel ?? t('action.confirm')}
            </Button>
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
