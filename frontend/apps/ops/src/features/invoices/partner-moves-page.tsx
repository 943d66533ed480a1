import { NativeSelect, TextInput } from '@mantine/core';
import { asProblem } from '@portage/api';
import { centsOf } from '@portage/domain';
import { languageOrder } from '@portage/frame';
import { Notice, PageHeading, Reason } from '@portage/kit';
import { CheckBox, DeskButton } from '@portage/kit/desk/button';
import { addDays, addMonths, isDay } from '@portage/kit/desk/dates';
import { NothingYet } from '@portage/kit/desk/states';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { deskToday } from '../../shell/company.ts';
import { FailedPage } from '../../shell/failed-page.tsx';
import { LoadingPage } from '../../shell/loading-page.tsx';
import { Moves, Sums } from './batch-moves.tsx';
import classes from './batch.module.css';
import { draftBatch, uninvoicedQuery } from './queries.ts';

const sumOf = (amounts: string[]) => (amounts.reduce((sum, one) => sum + centsOf(one), 0) / 100).toFixed(2);

/** What of a partner can be invoiced for a period, the last month to begin with; what is chosen becomes one draft. */
function PartnerMovesPage() {
  const { t } = useTranslation(['batch', 'common', 'person', 'shell']);
  const { id } = useParams({ from: '/desk/invoices/partner/$id' });
  const search: Record<string, unknown> = useSearch({ from: '/desk/invoices/partner/$id' });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const thisMonth = `${deskToday().slice(0, 7)}-01`;
  const from = isDay(search['from']) ? search['from'] : addMonths(thisMonth, -1);
  const to = isDay(search['to']) ? search['to'] : addDays(thisMonth, -1);
  const [without, setWithout] = useState<string[]>([]);
  const [language, setLanguage] = useState<string | null>(null);
  const found = useQuery(uninvoicedQuery(id, from, to));
  const draft = useMutation({
    mutationFn: (bookings: string[]) => draftBatch(id, from, to, bookings, language ?? found.data?.language ?? 'fr'),
    onSuccess: async (made) => {
      await queries.invalidateQueries({ queryKey: ['desk'] });
      await navigate({ to: '/invoices/batch/$id', params: { id: made.id } });
    },
  });
  const say = (change: Record<string, string>) =>
    void navigate({ to: '.', search: ((before: object) => ({ ...before, ...change })) as never, replace: true });
  const day = (key: 'from' | 'to', value: string) => (
    <TextInput
      id={`batch-${key}`}
      type="date"
      label={t(key === 'from' ? 'firstDay' : 'lastDay')}
      defaultValue={value}
      onChange={({ currentTarget }) => {
        if (isDay(currentTarget.value)) say({ [key]: currentTarget.value });
      }}
    />
  );
  if (found.isPending) return <LoadingPage title={t('loading')} />;
  if (found.isError)
    return (
      <FailedPage
        area={t('shell:area.invoices')}
        to="/invoices"
        failed={t('failed')}
        failure={asProblem(found.error)}
        onRetry={() => void found.refetch()}
      />
    );
  const { partner, bookings, netDays, isMore } = found.data;
  const chosen = bookings.filter((one) => !without.includes(one.bookingId));
  const all = chosen.length === bookings.length;
  return (
    <>
      <PageHeading
        title={t('title.partner', { name: partner.name || partner.partnerID })}
        lead={t('lead', { count: netDays })}
      />
      <div className={classes['tools']}>
        {day('from', from)}
        {day('to', to)}
        <NativeSelect
          id="batch-language"
          label={t('language')}
          value={language ?? found.data.language}
          onChange={(event) => setLanguage(event.currentTarget.value)}
          data={languageOrder.map((value) => ({ value, label: t(`common:lang.${value}`) }))}
        />
      </div>
      {bookings.length === 0 ? (
        <NothingYet title={t('none')}>{t('noneHelp')}</NothingYet>
      ) : (
        <>
          {isMore ? <Notice tone="info">{t('more', { count: bookings.length })}</Notice> : null}
          <Moves label={t('moves')} moves={bookings}>
            {(one) => (
              <CheckBox
                label={t('take', { code: one.shortId })}
                checked={!without.includes(one.bookingId)}
                onChange={(is) =>
                  setWithout((before) =>
                    is ? before.filter((key) => key !== one.bookingId) : [...before, one.bookingId],
                  )
                }
              />
            )}
          </Moves>
          <p role="status">{t('chosen', { count: chosen.length })}</p>
          {all ? (
            <Sums {...found.data} />
          ) : (
            <Sums
              subtotal={sumOf(chosen.map((one) => one.subtotal))}
              taxes={[]}
              total={sumOf(chosen.map((one) => one.total))}
              due={sumOf(chosen.map((one) => one.due))}
            />
          )}
          {draft.isError ? (
            <Notice tone="error" live led title={t('notDrafted')} onDismiss={draft.reset}>
              <Reason failure={asProblem(draft.error)} />
            </Notice>
          ) : null}
          <DeskButton
            variant="primary"
            disabled={chosen.length === 0}
            busy={draft.isPending}
            onClick={() => draft.mutate(chosen.map((one) => one.bookingId))}
          >
            {t('draft')}
          </DeskButton>
        </>
      )}
    </>
  );
}

export const Route = createLazyRoute('/desk/invoices/partner/$id')({ component: PartnerMovesPage });
