import { Textarea } from '@mantine/core';
import { asProblem } from '@portage/api';
import { Dialog, ErrorState } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from '../record/record.module.css';
import { usePress } from '../record/use-press.ts';

interface ReasonDialogProps {
  title: string;
  text: string;
  run: string;
  send: (reason: string, key: string) => Promise<unknown>;
  onDone: () => void;
  onClose: () => void;
}

/** Something that is done about money for a reason, which the trail keeps. */
export function ReasonDialog({ title, text, run, send, onDone, onClose }: ReasonDialogProps) {
  const { t } = useTranslation(['failed', 'shell']);
  const [reason, setReason] = useState('');
  const { press, renew } = usePress((key) => send(reason.trim(), key), onDone);
  return (
    <Dialog
      opened
      title={title}
      onClose={onClose}
      actions={
        <>
          <DeskButton onClick={onClose}>{t('shell:leaveAsIs')}</DeskButton>
          <DeskButton
            variant="primary"
            disabled={reason.trim() === ''}
            busy={press.isPending}
            onClick={() => press.mutate()}
          >
            {run}
          </DeskButton>
        </>
      }
    >
      <div className={classes['form']}>
        <p>{text}</p>
        <Textarea
          label={t('reason')}
          required
          withAsterisk={false}
          description={t('shell:field.needed')}
          data-autofocus
          autosize
          minRows={2}
          maxLength={500}
          value={reason}
          onChange={(event) => {
            setReason(event.currentTarget.value);
            renew();
          }}
        />
        {press.isError ? <ErrorState led failure={asProblem(press.error)} title={t('refused')} /> : null}
      </div>
    </Dialog>
  );
}
