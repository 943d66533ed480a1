import { Button } from '@mantine/core';
import { api, asProblem, type Booking, type CancellationPreview, unwrap } from '@portage/api';
import { centsOf, formatCents } from '@portage/domain';
import { QueryState } from '@portage/frame';
import { announce, ConfirmDialog, ErrorState } from '@portage/kit';
import { formatDateTime, formatMoney, useLanguage } from '@portage/i18n';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { bookingQuery } from '../../booking/checkout/booking-query.ts';
import classes from './bookings.module.css';

/** What of the price of a cancellation is or will be there: what is owed apart is not. */
function keptOf({ kept, owed }: CancellationPreview): string {
  return formatCents(Math.max(0, centsOf(kept) - centsOf(owed)));
}

/** Cancelling asks first, and the question names what it costs at this moment. */
export function CancelBooking({ booking }: { booking: Booking }) {
  const { t } = useTranslation(['bookings', 'common', 'domain']);
  const language = useLanguage();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const money = (amount: string) => formatMoney(amount, language);

  const preview = useQuery({
    queryKey: ['/c/bookings/cancellation', booking.id],
    queryFn: () => unwrap(api.GET('/c/bookings/{id}/cancellation', { params: { path: { id: booking.id } } })),
    enabled: asking,
    // the answer is about this very minute
    gcTime: 0,
    staleTime: 0,
    meta: { personal: true },
  });
  const cancel = useMutation({
    mutationFn: () => unwrap(api.PUT('/c/bookings/cancel/{id}', { params: { path: { id: booking.id } } })),
    onSuccess: async (cancelled) => {
      setAsking(false);
      announce(t('bookings:cancel.done'));
      await queries.invalidateQueries({ queryKey: bookingQuery(booking.id).queryKey });
      await queries.invalidateQueries({ queryKey: ['/bookings/previous'] });
      document.querySelector<HTMLElement>('h1')?.focus();
      return cancelled;
    },
    onError: (error) => {
      // somebody else was first, or the answer got lost: show the booking as it is now
      const { status } = asProblem(error);
      if (status === 409 || status === 0 || status >= 500)
        void queries.invalidateQueries({ queryKey: bookingQuery(booking.id).queryKey });
    },
  });

  const consequence = (rule: CancellationPreview): string => {
    // what is not there cannot be kept
    if (centsOf(rule.owed) > 0) return t('bookings:cancel.costs', { amount: money(rule.kept) });
    if (rule.rule === 'deposit') return t('bookings:booking.cancelDeposit', { amount: money(rule.kept) });
    if (rule.rule === 'full') return t('bookings:booking.cancelFull', { amount: money(rule.kept) });
    const until = booking.paymentPlan.cancellation.find((window) => centsOf(window.kept) === 0)?.until;
    return until
      ? t('domain:rule.cancelFreeUntil', { deadline: formatDateTime(until, booking.zone, language, true) })
      : t('bookings:cancel.free');
  };
  // what was said a minute ago is not said again while it is being asked for
  const asked = preview.isFetching ? { ...preview, data: undefined, isPending: true, isError: false } : preview;
  const known = asked.data !== undefined;
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        c="var(--pg-error)"
        onClick={() => {
          cancel.reset();
          setAsking(true);
        }}
      >
        {t('bookings:cancel.open')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('bookings:booking.cancelConfirm')}
        confirmLabel={t('bookings:cancel.confirm')}
        cancelLabel={t('bookings:cancel.keep')}
        danger
        loading={cancel.isPending || (asking && preview.isFetching)}
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          if (known && !cancel.isPending) cancel.mutate();
        }}
      >
        {cancel.isError ? (
          <ErrorState failure={asProblem(cancel.error)} title={t('common:page.proceedFailed')} />
        ) : null}
        <QueryState query={asked} rows={2}>
          {(rule) => (
            <>
              <p>{consequence(rule)}</p>
              <dl className={classes['consequence']}>
                {centsOf(rule.owed) > 0 && centsOf(keptOf(rule)) === 0 ? null : (
                  <div>
                    <dt>{t('bookings:cancel.kept')}</dt>
                    <dd>{money(keptOf(rule))}</dd>
                  </div>
                )}
                {centsOf(rule.refundNow) > 0 ? (
                  <div>
                    <dt>{t('bookings:cancel.refundNow')}</dt>
                    <dd>{money(rule.refundNow)}</dd>
                  </div>
                ) : null}
                {centsOf(rule.toCharge) > 0 ? (
                  <div>
                    <dt>{t('bookings:cancel.toCharge')}</dt>
                    <dd>{money(rule.toCharge)}</dd>
                  </div>
                ) : null}
                {centsOf(rule.owed) > 0 ? (
                  <div>
                    <dt>{t('bookings:cancel.owed')}</dt>
                    <dd>{money(rule.owed)}</dd>
                  </div>
                ) : null}
              </dl>
            </>
          )}
        </QueryState>
      </ConfirmDialog>
    </>
  );
}
