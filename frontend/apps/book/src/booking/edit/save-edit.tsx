import { Button } from '@mantine/core';
import { api, type ApiProblem, asProblem, type PolicyFigures, unwrap } from '@portage/api';
import { PolicyTimeline, usePolicyValues } from '@portage/domain';
import { leaveGuard, LinkButton, useConfig } from '@portage/frame';
import { formatSentences, useLanguage } from '@portage/i18n';
import { BusyButton, Dialog, Notice } from '@portage/kit';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { SupportLinks } from '../../shell/chat/support-links.tsx';
import { bookingRequest } from '../draft/booking-request.ts';
import { draftStore } from '../draft/draft-store.ts';
import { ProblemState } from '../estimate/problem-state.tsx';
import { AnswerChanges } from './answer-changes.tsx';
import { isMoveChanged, isTipChanged, saveTip, tipWithChange } from './changes.ts';
import { editSaved } from './edit-saved.ts';
import { PriceChange } from './price-change.tsx';
import { TipChange } from './tip-change.tsx';
import {
  type EditAttempt,
  newEditAttempt,
  editAttempts,
  type EditOutcome,
  isOutcomeUnknown,
  findOutcome,
} from './edit-attempt.ts';

/** What is known of a change whose answer got lost, or of the booking that could not take it. */
type Knowledge = 'looking' | 'cancelled' | 'closed' | 'unchanged' | 'tipLost' | Exclude<EditOutcome, 'saved'> | null;

/** Titles of what is neither a question nor open. */
const settled = {
  cancelled: 'checkout:booking.cancelled',
  closed: 'closedTitle',
  unchanged: 'unchangedTitle',
  tipLost: 'tipLostTitle',
} as const;

const ended = new Set(['cancelled', 'deleted']);

/**
 * Shows what the change would cost before anything changes, then saves it. A change may charge, so it is sent once: when
 * no answer comes, the booking is read to see what became of it.
 */
export function SaveEdit({ disabled }: { disabled: boolean }) {
  const { t } = useTranslation(['edit', 'checkout', 'common']);
  const language = useLanguage();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [known, setKnown] = useState<Knowledge>(null);
  /** What the booking was made under, once it was read again. */
  const [own, setOwn] = useState<PolicyFigures | null>(null);
  const general = useConfig()?.policy.figures;
  const values = usePolicyValues(own ?? general);
  const attempt = useRef<EditAttempt | null>(null);
  /** Whether a change is being sent: a second press comes before the first one is drawn. */
  const sending = useRef(false);

  // another try cannot help; it may also have been cancelled, in another tab for one: that is another thing to say
  const sayIfClosed = async (id: string, problem: ApiProblem) => {
    if (problem.code !== 'edit_closed') return;
    const booking = await unwrap(api.GET('/c/bookings/{id}', { params: { path: { id } } })).catch(() => null);
    setOwn(booking?.paymentPlan.policy ?? null);
    setKnown(booking && ended.has(booking.status) ? 'cancelled' : 'closed');
  };
  const preview = useMutation({
    mutationFn: async (id: string) => {
      try {
        return await unwrap(
          api.POST('/c/bookings/{id}/preview', { params: { path: { id } }, body: bookingRequest(draftStore.get()) }),
        );
      } catch (error) {
        await sayIfClosed(id, asProblem(error));
        throw error;
      }
    },
  });
  // it counts: nothing that goes wrong from here on may say otherwise
  const leave = async (id: string) => {
    editAttempts.settled();
    leaveGuard.suspend();
    try {
      await queries.invalidateQueries({ predicate: (query) => query.meta?.['personal'] === true });
      // away first: a page that still names the booking in its address would load it into the draft again
      await navigate({ href: `/profile/bookings/${id}` });
      draftStore.endEdit();
    } catch (error) {
      console.error(error);
    } finally {
      leaveGuard.resume();
    }
  };
  // a move is saved by now, with its tip: a tip alone that cannot be is said as that, and nothing else
  const finish = async (id: string) => {
    editAttempts.settled();
    try {
      await saveTip(draftStore.get());
    } catch {
      setKnown('tipLost');
      return;
    }
    editSaved.remember(id);
    await leave(id);
  };
  // to the booking as it is; what was changed here waits, and is still not sent again
  const goToBooking = async (booking: string) => {
    leaveGuard.suspend();
    await navigate({ href: `/profile/bookings/${booking}` });
    leaveGuard.resume();
  };
  const findOutcomeOf = async (lost: EditAttempt) => {
    attempt.current = lost;
    setKnown('looking');
    const outcome = await findOutcome(lost);
    if (outcome === 'saved') {
      setKnown(null);
      await finish(lost.booking);
      return;
    }
    if (outcome === 'changed') editAttempts.settled();
    setKnown(outcome);
  };
  const save = useMutation({
    mutationFn: async (id: string) => {
      const draft = draftStore.get();
      if (!isMoveChanged(draft)) return null;
      // the price that was agreed to is the one of the preview, change fee included
      const body = {
        ...bookingRequest(draft),
        ...tipWithChange(draft),
        ...(preview.data ? { expectedTotal: preview.data.newTotal } : {}),
      };
      const sent = newEditAttempt(id, draft.editingVersion ?? 0, body, preview.data?.newTotal ?? '', Date.now());
      editAttempts.keep(sent);
      try {
        await unwrap(
          api.PUT('/c/bookings/{id}', {
            params: {
              path: { id },
              header: draft.editingVersion === null ? {} : { 'If-Match': `"${draft.editingVersion}"` },
            },
            body,
          }),
        );
      } catch (error) {
        const problem = asProblem(error);
        if (isOutcomeUnknown(problem)) return sent;
        editAttempts.settled();
        await sayIfClosed(id, problem);
        throw problem;
      }
      return null;
    },
    // a refused change may be sent again; of a saved one nothing is left to press
    onError: () => (sending.current = false),
    onSuccess: (lost, id) => (lost ? findOutcomeOf(lost) : finish(id)),
  });
  const start = () => {
    const id = draftStore.get().editing;
    if (!id) return;
    save.reset();
    sending.current = false;
    const lost = editAttempts.of(id);
    if (lost) void findOutcomeOf(lost);
    else if (isMoveChanged(draftStore.get()) || isTipChanged(draftStore.get())) preview.mutate(id);
    else setKnown('unchanged');
  };
  const confirm = () => {
    const id = draftStore.get().editing;
    if (!id || sending.current || known !== null) return;
    sending.current = true;
    save.mutate(id);
  };
  const close = () => {
    preview.reset();
    setKnown(null);
  };
  const id = attempt.current?.booking ?? draftStore.get().editing ?? '';
  const problem = save.isError ? asProblem(save.error) : null;

  return (
    <>
      <BusyButton size="lg" disabled={disabled} loading={preview.isPending || known === 'looking'} onClick={start}>
        {t('review')}
      </BusyButton>
      <Dialog
        opened={preview.isSuccess || preview.isError || known !== null}
        title={
          known === null ? t('title') : known in settled ? t(settled[known as keyof typeof settled]) : t('pendingTitle')
        }
        onClose={close}
        actions={
          known !== null ? (
            <>
              {known === 'looking' ? null : (
                <LinkButton
                  variant="default"
                  to="/profile/bookings/$bookingId"
                  params={{ bookingId: id }}
                  onClick={(event) => {
                    event.preventDefault();
                    void (known !== null && known in settled ? leave(id) : goToBooking(id));
                  }}
                >
                  {t('checkout:booking.seeYours')}
                </LinkButton>
              )}
              {known === 'changed' || known in settled ? null : (
                <BusyButton
                  loading={known === 'looking'}
                  onClick={() => {
                    if (attempt.current && known !== 'looking') void findOutcomeOf(attempt.current);
                  }}
                >
                  {t('lookAgain')}
                </BusyButton>
              )}
            </>
          ) : preview.data ? (
            <>
              <Button variant="default" onClick={close}>
                {t('common:action.cancel')}
              </Button>
              <BusyButton onClick={confirm} loading={save.isPending}>
                {t('common:action.save')}
              </BusyButton>
            </>
          ) : null
        }
      >
        {known === null ? null : (
          <>
            <Notice tone={known === 'looking' || known === 'unchanged' ? 'info' : 'warning'} live>
              {known === 'looking'
                ? t('looking')
                : known === 'cancelled'
                  ? t('cancelled')
                  : known === 'closed'
                    ? formatSentences([values ? t('checkout:changeClosed', values) : null, t('cancelled')], language)
                    : known === 'unchanged'
                      ? t('unchanged')
                      : known === 'tipLost'
                        ? t('tipLost')
                        : known === 'changed'
                          ? t('changedMeanwhile')
                          : known === 'pending'
                            ? t('pending')
                            : t('unread')}
            </Notice>
            {known === 'looking' || known === 'unchanged' ? null : <SupportLinks />}
          </>
        )}
        {preview.isError && known === null ? (
          <ProblemState problem={asProblem(preview.error)} title={t('common:page.proceedFailed')} onRetry={start} />
        ) : null}
        {preview.data && known === null ? (
          <>
            <AnswerChanges />
            <PriceChange preview={preview.data} code={draftStore.get().discountCode} />
            <TipChange amount={preview.data.booking.amount} policy={preview.data.paymentPlan.policy} />
            <h3>{t('next')}</h3>
            <PolicyTimeline
              plan={preview.data.paymentPlan}
              moveAt={preview.data.booking.startsAt}
              promised={preview.data.booking.time}
              now={preview.data.booking.createdAt}
            />
            {problem?.code === 'payment_in_flight' ? (
              <Notice tone="warning" live title={t('paymentInFlight')}>
                {problem.detail || t('common:error.generic')}
              </Notice>
            ) : problem ? (
              <ProblemState problem={problem} title={t('common:page.saveFailed')} />
            ) : null}
          </>
        ) : null}
      </Dialog>
    </>
  );
}
