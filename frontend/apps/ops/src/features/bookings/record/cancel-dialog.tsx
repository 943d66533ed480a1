import { TextInput } from '@mantine/core';
import { api, asProblem, type DeskBooking, type DeskCancellation, type Fault, ifMatch, unwrap } from '@portage/api';
import { Dialog, ErrorState, Money } from '@portage/kit';
import { CheckBox, DeskButton } from '@portage/kit/desk/button';
import { showToast } from '@portage/kit/desk/toasts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { Overtaken } from './overtaken.tsx';
import classes from './record.module.css';
import { Part } from './section.tsx';

interface CancelDialogProps {
  booking: DeskBooking;
  opened: boolean;
  onClose: () => void;
}

const sameMoney = (a: DeskCancellation, b: DeskCancellation) =>
  a.kept === b.kept &&
  a.refunded === b.refunded &&
  a.refundNow === b.refundNow &&
  a.toCharge === b.toCharge &&
  a.owed === b.owed;

/** Cancels with a reason and a fault, and shows first what happens with the money: exactly that follows, or it asks again. */
export function CancelDialog({ booking, opened, onClose }: CancelDialogProps) {
  const { t } = useTranslation(['record', 'bookings', 'common', 'shell']);
  const queries = useQueryClient();
  const [fault, setFault] = useState<Fault>('company');
  const [waive, setWaive] = useState(false);
  const [reason, setReason] = useState('');
  const [moved, setMoved] = useState(false);
  /** The booking as somebody else had changed it already when the button was pressed. */
  const [overtaken, setOvertaken] = useState<DeskBooking | null>(null);
  const waived = fault === 'customer' && waive;
  const ask = () =>
    unwrap(
      api.GET('/bookings/{id}/cancellation', {
        params: { path: { id: booking.id }, query: { fault, waive: waived } },
      }),
    );
  const preview = useQuery({
    queryKey: ['desk', 'booking', booking.id, 'cancellation', fault, waived],
    queryFn: ask,
    enabled: opened,
    staleTime: 0,
    meta: { personal: true },
  });
  const run = useMutation({
    mutationFn: async () => {
      // the policy goes by the clock: what was read a while ago may have passed a border
      const now = await ask();
      if (!preview.data || !sameMoney(now, preview.data)) {
        setMoved(true);
        await preview.refetch();
        return null;
      }
      return unwrap(
        api.PUT('/bookings/status/{id}', {
          params: { path: { id: booking.id }, header: ifMatch(booking.version) },
          body: { status: 'cancelled', language: booking.language, reason: reason.trim(), fault, waive: waived },
        }),
      );
    },
    onSuccess: (after) => {
      if (!after) return;
      showToast({ text: t('cancel.done', { code: booking.shortId }) });
      onClose();
    },
    onMutate: () => {
      setOvertaken(null);
      return booking;
    },
    onError: (error, _, seen) => {
      if (asProblem(error).status === 412) setOvertaken(seen ?? null);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['desk'] }),
  });
  const choose = (change: () => void) => {
    change();
    setMoved(false);
  };
  return (
    <Dialog
      opened={opened}
      title={t('cancel.title', { code: booking.shortId })}
      onClose={onClose}
      actions={
        <>
          <DeskButton onClick={onClose}>{t('cancel.stay')}</DeskButton>
          <DeskButton
            variant="danger"
            disabled={!preview.data || preview.isFetching || reason.trim() === ''}
            busy={run.isPending}
            onClick={() => run.mutate()}
          >
            {t('cancel.run')}
          </DeskButton>
        </>
      }
    >
      <div className={classes['form']}>
        <fieldset className={classes['options']}>
          <legend>{t('cancel.fault')}</legend>
          {(['company', 'customer'] as const).map((one) => (
            <label key={one}>
              <input type="radio" name="fault" checked={fault === one} onChange={() => choose(() => setFault(one))} />
              <span>{t(`cancel.${one}`)}</span>
            </label>
          ))}
        </fieldset>
        {fault === 'customer' ? (
          <CheckBox
            label={t('cancel.waive')}
            labelShown
            checked={waive}
            onChange={(on) => choose(() => setWaive(on))}
          />
        ) : null}
        <TextInput
          label={t('cancel.reason')}
          required
          withAsterisk={false}
          description={t('cancel.reasonHelp')}
          value={reason}
          maxLength={500}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <section aria-label={t('cancel.preview')} aria-live="polite">
          <Part query={preview} loading={t('cancel.preview')} failed={t('cancel.previewFailed')}>
            {(money) => (
              <dl className={classes['sums']}>
                {(
                  [
                    'kept',
                    'refundNow',
                    // only where something went back before: else both are the same
                    ...(money.refunded === money.refundNow ? [] : (['refunded'] as const)),
                    'toCharge',
                    'owed',
                  ] as const
                ).map((key) => (
                  <div key={key}>
                    <dt>{t(`cancel.${key}`)}</dt>
                    <dd>
                      <Money value={money[key]} />
                    </dd>
                  </div>
                ))}
              </dl>
            )}
          </Part>
        </section>
        {moved ? (
          <p role="alert" className="pg-error">
            {t('cancel.changed')}
          </p>
        ) : null}
        {overtaken ? (
          <Overtaken seen={overtaken} now={booking} />
        ) : run.isError ? (
          <ErrorState led failure={asProblem(run.error)} title={t('status.refused')} />
        ) : null}
      </div>
    </Dialog>
  );
}
