import { api, asProblem, type DeskBooking, newIdempotencyKey, unwrap } from '@portage/api';
import { Notice, Reason } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { showToast } from '@portage/kit/desk/toasts';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { useMoney } from '../parts/use-money.ts';
import { owesMoney } from './money.ts';
import { useReadAgain } from './status-dialog.tsx';
import { useShortWhen } from './use-when.ts';

/** Mails a link to pay what is owed; a newer link ends those before it. */
export function SendPaymentLink({ booking }: { booking: DeskBooking }) {
  const { t } = useTranslation('record');
  const money = useMoney();
  const when = useShortWhen();
  const readAgain = useReadAgain(booking.id);
  // a press without an answer and the next one are the same wish: one link goes out
  const key = useRef(newIdempotencyKey());
  const send = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/bookings/{id}/payment-link', {
          params: { path: { id: booking.id }, header: { 'Idempotency-Key': key.current } },
        }),
      ),
    onSuccess: async ({ amount, sentTo, expiresAt }) => {
      key.current = newIdempotencyKey();
      showToast({
        text: t('link.sent', { amount: money(amount), email: sentTo, until: when(expiresAt) }),
        seconds: 12,
      });
      await readAgain();
    },
    onError: (error) => {
      const { status } = asProblem(error);
      if (status > 0 && status < 500) key.current = newIdempotencyKey();
    },
  });
  // where the stored card pays by itself, or nobody owes anything, no link is needed
  const payable = booking.payableByLink ?? (booking.payment ?? 'card') !== 'card';
  if (!payable || !owesMoney(booking)) return null;
  const refusal = (problem: ReturnType<typeof asProblem>) => {
    if (problem.code === 'nothing_owed') return t('link.nothingOwed');
    return problem.code === 'paid_by_card' ? t('link.paidByCard') : <Reason failure={problem} />;
  };
  return (
    <>
      <DeskButton busy={send.isPending} onClick={() => send.mutate()}>
        {booking.paymentLink ? t('do.linkAgain') : t('do.link')}
      </DeskButton>
      {send.isError ? (
        <Notice tone="error" live led title={t('link.failed')} onDismiss={send.reset}>
          {refusal(asProblem(send.error))}
        </Notice>
      ) : null}
    </>
  );
}

/** Whether a link is on its way to somebody, and until when it works. */
export function LinkState({ booking }: { booking: DeskBooking }) {
  const { t } = useTranslation('record');
  const when = useShortWhen();
  const { payment, paymentLink, owed } = booking;
  if (paymentLink && owesMoney(booking))
    return <p>{t('link.state', { email: paymentLink.sentTo, until: when(paymentLink.expiresAt) })}</p>;
  return payment === 'link' && Number(owed ?? 0) > 0 ? <p className="pg-muted">{t('link.none')}</p> : null;
}
