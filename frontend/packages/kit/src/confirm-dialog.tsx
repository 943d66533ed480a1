import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { BusyButton } from './busy-button.tsx';
import { Dialog } from './dialog.tsx';

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
  const { t } = useTranslation(['common', 'kit']);
  return (
    <Dialog
      opened={opened}
      title={title}
      onClose={onCancel}
      actions={
        <>
          <Button variant="default" onClick={onCancel} data-autofocus>
            {cancelLabel ?? t('action.cancel')}
          </Button>
          <BusyButton color={danger ? 'red.6' : 'spruce'} onClick={onConfirm} loading={loading}>
            {confirmLabel ?? t('kit:action.confirm')}
          </BusyButton>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
