import { Button } from '@mantine/core';
import { Dialog } from '@portage/kit';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './furniture-picker.module.css';

interface PieceSheetProps {
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The list of pieces over the whole window of a telephone. The page below keeps its length, however long the list is. */
export function PieceSheet({ opened, onClose, children }: PieceSheetProps) {
  const { t } = useTranslation('furniture');
  return (
    <Dialog
      whole
      opened={opened}
      title={t('items.list')}
      onClose={onClose}
      actions={
        <Button fullWidth size="lg" onClick={onClose}>
          {t('items.closeList')}
        </Button>
      }
    >
      <div className={classes['root']} data-sheet>
        {children}
      </div>
    </Dialog>
  );
}
