import { api, asProblem, type DeskBooking, readFile, unwrap } from '@portage/api';
import { Notice, Reason } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { showToast } from '@portage/kit/desk/toasts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useKeys } from '../../../shell/keys.ts';
import { saveFile } from '../../../shell/save-file.ts';
import { mayChange } from '../parts/may-change.ts';
import { CancelDialog } from './cancel-dialog.tsx';
import { KeyHint } from './key-hint.tsx';
import { SendPaymentLink } from './payment-link.tsx';
import classes from './record.module.css';
import { StatusDialog, useReadAgain } from './status-dialog.tsx';
import { TextDialog, textsOf } from './text-dialog.tsx';

interface ActionsProps {
  booking: DeskBooking;
  /** The part of the page that shows this record: its keys count there. */
  within: () => HTMLElement | null;
}

/** What can be done with the booking. What cannot be done now is shown, and its dialog says why. */
export function Actions({ booking, within }: ActionsProps) {
  const { t } = useTranslation(['record', 'bookings']);
  const [asking, setAsking] = useState<'status' | 'cancel' | 'text' | null>(null);
  const navigate = useNavigate();
  const change = () => void navigate({ to: '/bookings/$id/change', params: { id: booking.id } });
  const readAgain = useReadAgain(booking.id);
  // nothing is confirmed of a move that does not take place
  const isOver = booking.status === 'cancelled' || booking.status === 'deleted';
  const canCancel = booking.allowedStatuses.some((one) => one.status === 'cancelled' && one.allowed);
  const confirm = useMutation({
    mutationFn: () => unwrap(api.POST('/bookings/{id}/confirmation', { params: { path: { id: booking.id } } })),
    onSuccess: async ({ recipient, queued }) => {
      showToast({ text: queued ? t('sent.done', { recipient }) : t('sent.already', { recipient }) });
      await readAgain();
    },
  });
  const contract = useMutation({
    mutationFn: async () =>
      saveFile(await readFile(`/api/c/bookings/${booking.id}/contract`), `${booking.id}-contract.pdf`),
  });
  useKeys(
    {
      ...(mayChange(booking) ? { e: change } : {}),
      s: () => setAsking('status'),
      m: () => within()?.querySelector<HTMLElement>('[data-note-field]')?.focus(),
    },
    { within },
  );
  return (
    <div role="group" aria-label={t('do.label')} className={classes['actions']}>
      <DeskButton variant="primary" onClick={() => setAsking('status')}>
        {t('bookings:bulk.status')} <KeyHint letter="s" />
      </DeskButton>
      {mayChange(booking) ? (
        <DeskButton onClick={change}>
          {t('do.change')} <KeyHint letter="e" />
        </DeskButton>
      ) : null}
      <DeskButton busy={confirm.isPending} disabled={isOver} onClick={() => confirm.mutate()}>
        {t('do.confirmation')}
      </DeskButton>
      <DeskButton busy={contract.isPending} onClick={() => contract.mutate()}>
        {t('do.contract')}
      </DeskButton>
      <DeskButton
        disabled={booking.textsStopped === true || textsOf(booking).length === 0}
        onClick={() => setAsking('text')}
      >
        {t('do.text')}
      </DeskButton>
      <SendPaymentLink booking={booking} />
      <DeskButton variant="danger" disabled={!canCancel} onClick={() => setAsking('cancel')}>
        {t('do.cancel')}
      </DeskButton>
      {confirm.isError ? (
        <Notice tone="error" live led title={t('sent.failed')} onDismiss={confirm.reset}>
          <Reason failure={asProblem(confirm.error)} />
        </Notice>
      ) : null}
      {contract.isError ? (
        <Notice tone="error" live led title={t('contract.failed')} onDismiss={contract.reset}>
          <Reason failure={asProblem(contract.error)} />
        </Notice>
      ) : null}
      <StatusDialog booking={booking} opened={asking === 'status'} onClose={() => setAsking(null)} />
      {asking === 'text' ? <TextDialog booking={booking} onClose={() => setAsking(null)} /> : null}
      <CancelDialog booking={booking} opened={asking === 'cancel'} onClose={() => setAsking(null)} />
    </div>
  );
}
