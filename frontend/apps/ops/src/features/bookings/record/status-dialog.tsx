import { TextInput } from '@mantine/core';
import { api, asProblem, type BookingStatus, type DeskBooking, ifMatch, unwrap } from '@portage/api';
import { usePolicyValues } from '@portage/domain';
import { currentLanguage, formatSentences } from '@portage/i18n';
import { Dialog, ErrorState } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { showToast } from '@portage/kit/desk/toasts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { WhatFollows } from '../parts/what-follows.tsx';
import { Overtaken } from './overtaken.tsx';
import { bookingQuery } from './queries.ts';
import classes from './record.module.css';

interface StatusDialogProps {
  booking: DeskBooking;
  opened: boolean;
  onClose: () => void;
}

/** Offers exactly the changes of status that the server allows now; what it does not allow is shown with why. */
export function StatusDialog({ booking, opened, onClose }: StatusDialogProps) {
  const { t } = useTranslation(['record', 'bookings', 'common', 'shell']);
  const values = usePolicyValues(booking.paymentPlan.policy);
  const queries = useQueryClient();
  const [to, setTo] = useState<BookingStatus | null>(null);
  const [reason, setReason] = useState('');
  const [reference, setReference] = useState('');
  /** The booking as somebody else had changed it already when the button was pressed. */
  const [overtaken, setOvertaken] = useState<DeskBooking | null>(null);
  const offered = booking.allowedStatuses.filter((one) => one.status !== 'cancelled');
  const chosen = offered.find((one) => one.status === to && one.allowed);
  const needs = (what: string) => chosen?.needs.includes(what) ?? false;
  /** Its credit note says why: the customer has that. */
  const undoes = chosen?.status === 'pending' && (booking.status === 'cancelled' || booking.status === 'deleted');
  const missing = (needs('reason') && !reason.trim()) || (needs('paymentReference') && !reference.trim());
  const name = (status: BookingStatus) => t(`bookings:status.${status}`);
  const set = useMutation({
    mutationFn: (status: BookingStatus) =>
      unwrap(
        api.PUT('/bookings/status/{id}', {
          params: { path: { id: booking.id }, header: ifMatch(booking.version) },
          body: {
            status,
            language: booking.language ?? currentLanguage(),
            ...(reason.trim() ? { reason: reason.trim() } : {}),
            ...(reference.trim() ? { paymentReference: reference.trim() } : {}),
          },
        }),
      ),
    onSuccess: (after) => {
      showToast({ text: t('status.done', { code: booking.shortId, status: name(after.status) }) });
      close();
    },
    onMutate: () => {
      setOvertaken(null);
      return booking;
    },
    onError: (error, _, seen) => {
      if (asProblem(error).status !== 412) return;
      setOvertaken(seen ?? null);
      setTo(null);
    },
    // a refusal may come from what a colleague did meanwhile: what is allowed is read again
    onSettled: () => queries.invalidateQueries({ queryKey: ['desk'] }),
  });
  function close() {
    setTo(null);
    setReason('');
    setReference('');
    setOvertaken(null);
    set.reset();
    onClose();
  }
  return (
    <Dialog
      opened={opened}
      title={t('status.title', { code: booking.shortId })}
      onClose={close}
      actions={
        <>
          <DeskButton onClick={close}>{t('shell:leaveAsIs')}</DeskButton>
          <DeskButton
            variant="primary"
            disabled={!chosen || missing}
            busy={set.isPending}
            onClick={() => chosen && set.mutate(chosen.status)}
          >
            {chosen ? t('status.set', { status: name(chosen.status) }) : t('common:action.apply')}
          </DeskButton>
        </>
      }
    >
      <div className={classes['form']}>
        {offered.some((one) => one.allowed) ? null : <p>{t('status.none')}</p>}
        <fieldset className={classes['options']}>
          <legend>{t('bookings:bulk.to')}</legend>
          {offered.map((one) => (
            <label key={one.status} data-off={!one.allowed || undefined}>
              <input
                type="radio"
                name="status"
                disabled={!one.allowed}
                checked={to === one.status}
                onChange={() => setTo(one.status)}
              />
              <span>
                <span className={classes['option']}>{name(one.status)}</span>
                {one.reason ? <span className={classes['why']}>{t(`status.why.${one.reason}`)}</span> : null}
              </span>
            </label>
          ))}
        </fieldset>
        <p className="pg-help">{t('status.cancelHere')}</p>
        {chosen ? <WhatFollows status={chosen.status} /> : null}
        {booking.status === 'cancelled' && chosen?.status === 'pending' ? (
          <p className="pg-help">{t('asked.follows', values)}</p>
        ) : null}
        {chosen ? (
          <TextInput
            label={t('bookings:bulk.reason')}
            required={needs('reason')}
            withAsterisk={false}
            description={formatSentences(
              [
                needs('reason') ? t('bookings:reason.needed') : null,
                t(undoes ? 'bookings:reason.creditNote' : 'bookings:reason.history'),
              ],
              currentLanguage(),
            )}
            value={reason}
            maxLength={500}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        ) : null}
        {needs('paymentReference') ? (
          <TextInput
            label={t('status.reference')}
            required
            withAsterisk={false}
            description={t('shell:field.needed')}
            value={reference}
            maxLength={120}
            onChange={(event) => setReference(event.currentTarget.value)}
          />
        ) : null}
        {overtaken ? (
          <Overtaken seen={overtaken} now={booking} />
        ) : set.isError ? (
          <ErrorState led failure={asProblem(set.error)} title={t('status.refused')} />
        ) : null}
      </div>
    </Dialog>
  );
}

/** Reads the record again after something was done to it. */
export function useReadAgain(id: string): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: bookingQuery(id).queryKey.slice(0, 3) });
}
