import { Textarea, TextInput } from '@mantine/core';
import { api, asProblem, type InvoiceRecord, unwrap } from '@portage/api';
import { Dialog, ErrorState } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './record.module.css';
import { usePress } from './use-press.ts';

/** Changes what staff write into a draft; amounts are the booking's. */
export function InvoiceDraftDialog({ invoice, onClose }: { invoice: InvoiceRecord; onClose: () => void }) {
  const { t } = useTranslation(['record', 'papers', 'common']);
  const [edits, setEdits] = useState(invoice.edits);
  const set = (change: Partial<typeof edits>) => setEdits((before) => ({ ...before, ...change }));
  const { press } = usePress(
    () =>
      unwrap(
        api.PUT('/invoices/{id}', {
          params: { path: { id: invoice.id }, header: { 'If-Match': `"${invoice.version}"` } },
          body: { ...edits, lines: invoice.paper.lines.map(({ key, description }) => ({ key, description })) },
        }),
      ),
    onClose,
  );
  return (
    <Dialog
      opened
      title={t('invoice.changeTitle')}
      onClose={onClose}
      actions={
        <>
          <DeskButton onClick={onClose}>{t('common:action.cancel')}</DeskButton>
          <DeskButton variant="primary" busy={press.isPending} onClick={() => press.mutate()}>
            {t('common:action.save')}
          </DeskButton>
        </>
      }
    >
      <div className={classes['form']}>
        <p>{t('invoice.changeHelp')}</p>
        <TextInput
          label={t('papers:buyer')}
          value={edits.buyer}
          maxLength={200}
          onChange={(event) => set({ buyer: event.currentTarget.value })}
        />
        <Textarea
          label={t('invoice.address')}
          value={edits.address}
          maxLength={1000}
          autosize
          minRows={2}
          onChange={(event) => set({ address: event.currentTarget.value })}
        />
        <TextInput
          label={t('invoice.reference')}
          value={edits.reference}
          maxLength={100}
          onChange={(event) => set({ reference: event.currentTarget.value })}
        />
        <Textarea
          label={t('invoice.note')}
          value={edits.note}
          maxLength={1000}
          autosize
          minRows={2}
          onChange={(event) => set({ note: event.currentTarget.value })}
        />
        {press.isError ? <ErrorState led failure={asProblem(press.error)} title={t('invoice.failed')} /> : null}
      </div>
    </Dialog>
  );
}
