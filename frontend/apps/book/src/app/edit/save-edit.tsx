import { Button } from '@mantine/core';
import { api, asProblem, unwrap } from '@portage/api';
import { PolicyTimeline } from '@portage/domain';
import { Dialog, ErrorState, Money, Notice } from '@portage/kit';
import { formatMoney, useLanguage } from '@portage/i18n';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { bookingRequest } from '../draft/booking-request.ts';
import { draftStore } from '../draft/draft-store.ts';
import { leaveGuard } from '../leave-guard.ts';
import classes from './save-edit.module.css';

/** Shows what the change would cost before anything changes, then saves it. */
export function SaveEdit({ disabled }: { disabled: boolean }) {
  const { t } = useTranslation(['quote', 'common']);
  const language = useLanguage();
  const navigate = useNavigate();
  const queries = useQueryClient();

  const preview = useMutation({
    mutationFn: (id: string) =>
      unwrap(
        api.POST('/c/bookings/{id}/preview', { params: { path: { id } }, body: bookingRequest(draftStore.get()) }),
      ),
  });
  const save = useMutation({
    mutationFn: (id: string) => {
      const draft = draftStore.get();
      return unwrap(
        api.PUT('/c/bookings/{id}', {
          params: {
            path: { id },
            header: draft.editingVersion === null ? {} : { 'If-Match': `"${draft.editingVersion}"` },
          },
          // the price that was agreed to is the one of the preview, change fee included
          body: { ...bookingRequest(draft), ...(preview.data ? { expectedTotal: preview.data.newTotal } : {}) },
        }),
      );
    },
    onSuccess: async (_, id) => {
      leaveGuard.suspend();
      await queries.invalidateQueries({ predicate: (query) => query.meta?.['personal'] === true });
      // away first: a page that still names the booking in its address would load it into the draft again
      await navigate({ href: `/profile/bookings/${id}` });
      draftStore.endEdit();
      leaveGuard.resume();
    },
  });
  const start = () => {
    const id = draftStore.get().editing;
    if (!id) return;
    save.reset();
    preview.mutate(id);
  };
  const confirm = () => {
    const id = draftStore.get().editing;
    if (id && !save.isPending) save.mutate(id);
  };

  return (
    <>
      <Button size="lg" disabled={disabled} loading={preview.isPending} onClick={start}>
        {t('edit.review')}
      </Button>
      <Dialog
        opened={preview.isSuccess || preview.isError}
        title={t('edit.title')}
        onClose={() => preview.reset()}
        actions={
          preview.data ? (
            <>
              <Button variant="default" onClick={() => preview.reset()}>
                {t('common:action.cancel')}
              </Button>
              <Button onClick={confirm} loading={save.isPending}>
                {t('common:action.save')}
              </Button>
            </>
          ) : null
        }
      >
        {preview.isError ? (
          <ErrorState failure={asProblem(preview.error)} title={t('common:page.proceedFailed')} onRetry={start} />
        ) : null}
        {preview.data ? (
          <>
            <dl className={classes['totals']}>
              <div>
                <dt>{t('edit.oldTotal')}</dt>
                <dd>
                  <Money value={preview.data.oldTotal} />
                </dd>
              </div>
              <div>
                <dt>{t('edit.newTotal')}</dt>
                <dd>
                  <Money value={preview.data.newTotal} />
                </dd>
              </div>
              {Number(preview.data.chargeNow) > 0 ? (
                <div>
                  <dt>{t('edit.chargeNow')}</dt>
                  <dd>
                    <Money value={preview.data.chargeNow} />
                  </dd>
                </div>
              ) : null}
              {Number(preview.data.refundNow) > 0 ? (
                <div>
                  <dt>{t('edit.refundNow')}</dt>
                  <dd>
                    <Money value={preview.data.refundNow} />
                  </dd>
                </div>
              ) : null}
            </dl>
            {Number(preview.data.changeFee) > 0 ? (
              <Notice tone="warning">
                {t('booking.changeFee', { amount: formatMoney(preview.data.changeFee, language) })}
              </Notice>
            ) : null}
            <h3>{t('edit.next')}</h3>
            <PolicyTimeline
              plan={preview.data.paymentPlan}
              moveAt={preview.data.booking.startsAt}
              promised={preview.data.booking.time}
              now={preview.data.booking.createdAt}
            />
            {save.isError ? <ErrorState failure={asProblem(save.error)} title={t('common:page.saveFailed')} /> : null}
          </>
        ) : null}
      </Dialog>
    </>
  );
}
