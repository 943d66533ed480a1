import { Button } from '@mantine/core';
import { ConfirmDialog, leaveFor } from '@portage/frame';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { whenForgotten } from './forget.ts';

/** The way out when what this device keeps of a move makes a page fail: it is forgotten, after a question. */
export function StartAgain() {
  const { t } = useTranslation('shell');
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('kept.startAgain')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('kept.question')}
        confirmLabel={t('kept.erase')}
        danger
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          for (const forget of whenForgotten) forget();
          leaveFor('/');
        }}
      >
        {t('kept.body')}
      </ConfirmDialog>
    </>
  );
}
