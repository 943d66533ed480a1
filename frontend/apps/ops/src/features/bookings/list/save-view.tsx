import { TextInput } from '@mantine/core';
import { api, asProblem, type BookingOrder, type DeskView, ifMatch, newIdempotencyKey, unwrap } from '@portage/api';
import { ConfirmDialog } from '@portage/frame';
import { formatItems, useLanguage } from '@portage/i18n';
import { Dialog, Notice } from '@portage/kit';
import { CheckBox, DeskButton } from '@portage/kit/desk/button';
import { daysOf, useRangeText } from '@portage/kit/desk/dates';
import { showToast } from '@portage/kit/desk/toasts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { hasRelativeDays } from './filters.ts';
import { viewsQuery } from './queries.ts';
import type { List } from './use-list.ts';
import classes from './views.module.css';

interface SaveViewProps {
  list: List;
  /** The saved view that is shown. */
  saved: DeskView | undefined;
  changed: boolean;
  /** Null for the order of how well each fits what is searched for. */
  order: BookingOrder | null;
}

interface ViewBody {
  name: string;
  shared: boolean;
}

/** Keeps the filters under a name; an own view can be saved over and deleted. */
export function SaveView({ list, saved, changed, order }: SaveViewProps) {
  const { t } = useTranslation(['bookings', 'common']);
  const language = useLanguage();
  const range = useRangeText(list.today, language);
  const queries = useQueryClient();
  const [asking, setAsking] = useState<'name' | 'delete' | null>(null);
  const [body, setBody] = useState<ViewBody>({ name: '', shared: false });
  const [key, setKey] = useState(newIdempotencyKey);

  const done = async (text: string) => {
    setAsking(null);
    await queries.invalidateQueries({ queryKey: viewsQuery.queryKey });
    showToast({ text });
  };
  const shown = {
    filters: list.asked.filters,
    ...(list.asked.value ? { value: list.asked.value } : {}),
    ...(order ? { sort: order } : {}),
  };
  const content = (one: ViewBody) => ({ ...one, ...shown });
  const make = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/views', {
          params: { header: { 'Idempotency-Key': key } },
          body: content({ ...body, name: body.name.trim() }),
        }),
      ),
    onSuccess: async (view) => {
      await done(t('views.saved'));
      list.show(view);
    },
  });
  const update = useMutation({
    mutationFn: (view: DeskView) =>
      unwrap(
        api.PUT('/views/{id}', {
          params: { path: { id: view.id }, header: ifMatch(view.version) },
          body: content(view),
        }),
      ),
    onSuccess: () => done(t('views.saved')),
  });
  const remove = useMutation({
    mutationFn: (view: DeskView) =>
      unwrap(api.DELETE('/views/{id}', { params: { path: { id: view.id }, header: ifMatch(view.version) } })),
    onSuccess: async () => {
      await done(t('views.deleted'));
      list.show({ id: '' });
    },
  });
  const said = (error: unknown) => {
    const problem = asProblem(error);
    return problem.status === 412 ? t('views.stale') : problem.detail || t('common:page.saveFailed');
  };
  const relative = Object.values(list.values).flatMap((value) =>
    value.kind === 'days' ? [range(daysOf(value.range, list.today, language))] : [],
  );

  return (
    <>
      {saved?.own && changed ? (
        <DeskButton onClick={() => update.mutate(saved)} busy={update.isPending}>
          {t('views.update')}
        </DeskButton>
      ) : null}
      {saved && !changed ? null : (
        <DeskButton
          variant="quiet"
          onClick={() => {
            setKey(newIdempotencyKey());
            make.reset();
            setAsking('name');
          }}
        >
          {t('views.save')}
        </DeskButton>
      )}
      {saved?.own ? (
        <DeskButton variant="quiet" onClick={() => setAsking('delete')}>
          {t('views.delete')}
        </DeskButton>
      ) : null}
      {update.isError ? (
        <Notice tone="error" live onDismiss={update.reset}>
          {said(update.error)}
        </Notice>
      ) : null}
      <Dialog
        opened={asking === 'name'}
        title={t('views.save')}
        onClose={() => setAsking(null)}
        actions={
          <>
            <DeskButton onClick={() => setAsking(null)}>{t('common:action.cancel')}</DeskButton>
            <DeskButton
              variant="primary"
              disabled={body.name.trim() === ''}
              busy={make.isPending}
              onClick={() => make.mutate()}
            >
              {t('common:action.save')}
            </DeskButton>
          </>
        }
      >
        <div className={classes['form']}>
          <TextInput
            label={t('views.name')}
            value={body.name}
            maxLength={60}
            data-autofocus
            onChange={(event) => setBody({ ...body, name: event.currentTarget.value })}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.nativeEvent.isComposing && body.name.trim() && !make.isPending)
                make.mutate();
            }}
          />
          <CheckBox
            label={t('views.shared')}
            labelShown
            checked={body.shared}
            onChange={(shared) => setBody({ ...body, shared })}
          />
          {hasRelativeDays(list.values) ? (
            <p className="pg-help">{t('views.days', { days: formatItems(relative, language) })}</p>
          ) : null}
          {make.isError ? (
            <Notice tone="error" live led>
              {said(make.error)}
            </Notice>
          ) : null}
        </div>
      </Dialog>
      <ConfirmDialog
        opened={asking === 'delete'}
        title={t('views.deleteQuestion', { name: saved?.name ?? '' })}
        confirmLabel={t('views.delete')}
        danger
        loading={remove.isPending}
        onConfirm={() => saved && remove.mutate(saved)}
        onCancel={() => setAsking(null)}
      >
        {remove.isError ? said(remove.error) : t('views.deleteHelp')}
      </ConfirmDialog>
    </>
  );
}
