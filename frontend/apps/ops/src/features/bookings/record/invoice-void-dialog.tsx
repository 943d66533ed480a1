import { TextInput } from '@mantine/core';
import { api, asProblem, type InvoiceRecord, unwrap } from '@portage/api';
import { Dialog, ErrorState } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './record.module.css';
import { usePress } from './use-press.ts';

/** Takes an invoice back with a credit note; what that does is said before it is done. */
export function InvoiceVoidDialog({ invoice, onClose }: { invoice: InvoiceRecord; onClose: () => void }) {
  const { t } = useTranslation(['record', 'shell']);
  const [reason, setReason] = useState('');
  const { press } = usePress(
    () =>
      unwrap(
        api.POST('/invoices/void/{id}', { params: { path: { id: invoice.id } }, body: { reason: reason.trim() } }),
      ),
    onClose,
  );
  return (
    <Dialog
      opened
      title={t('invoice.voidTitle', { number: invoice.number ?? '' })}
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
            {t('invoice.voidRun')}
          </DeskButton>
        </>
      }
    >
      <div className={classes['form']}>
        <p>{t('invoice.voidText')}</p>
        <TextInput
          label={t('invoice.voidReason')}
          required
          withAsterisk={false}
          description={t('shell:field.needed')}
          value={reason}
          maxLength={1000}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {press.isError ? <ErrorState led failure={asProblem(press.error)} title={t('invoice.failed')} /> : null}
      </div>
    </Dialog>
  );
}
