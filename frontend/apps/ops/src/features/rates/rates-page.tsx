import { asProblem, newIdempotencyKey, type RateVersion } from '@portage/api';
import { ErrorState } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { NothingYet } from '@portage/kit/desk/states';
import { DataTable, tableCodec } from '@portage/kit/desk/table';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { FileHead } from '../../shell/catalogue/catalogue-page.tsx';
import { useLiveCatalogue } from '../../shell/catalogue/use-catalogue.ts';
import { leftOutOf } from '../../shell/left-out.ts';
import { LeftOutNotice } from '../../shell/left-out-notice.tsx';
import { columnKeys, useRateColumns, useVersionName } from './columns.tsx';
import { beginRates, listQuery, ratesKey } from './queries.ts';
import { RemovePlanned } from './remove.tsx';

const file = { name: 'rates', queryKey: ratesKey } as const;
const pageSizes = [25, 10, 50, 100];
const codec = tableCodec({ columns: columnKeys, perPage: pageSizes });

/** A new company has no prices: it begins with those that come with the program, and makes them its own. */
function Begin() {
  const { t } = useTranslation('rates');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [key] = useState(newIdempotencyKey);
  const begin = useMutation({
    mutationFn: () => beginRates(key),
    onSuccess: async ({ id }) => {
      await navigate({ to: '/rates/$id/edit', params: { id } });
      await queries.invalidateQueries({ queryKey: ratesKey });
    },
    // a colleague may have begun at the same moment: then theirs is there
    onError: () => queries.invalidateQueries({ queryKey: ratesKey }),
  });
  return (
    <NothingYet
      title={t('empty')}
      action={
        <DeskButton busy={begin.isPending} onClick={() => begin.mutate()}>
          {t('empty.begin')}
        </DeskButton>
      }
    >
      {t('empty.help')}
      {begin.isError ? <ErrorState led failure={asProblem(begin.error)} /> : null}
    </NothingYet>
  );
}

/** The versions of the rate cards: which is in force, which comes, which was before. */
function RatesPage() {
  const { t } = useTranslation(['rates', 'shell']);
  const search = useSearch({ from: '/desk/rates' });
  const navigate = useNavigate({ from: '/rates' });
  const name = useVersionName();
  const state = codec.read(search);
  const rates = useQuery(listQuery(state.page, state.perPage));
  useLiveCatalogue('rate', ratesKey);
  const [leaving, setLeaving] = useState<RateVersion | null>(null);
  const columns = useRateColumns(setLeaving);
  return (
    <>
      <FileHead title={t('shell:area.rates')} lead={t('lead')} file={file} />
      <LeftOutNotice of={leftOutOf(search)} />
      <DataTable
        label={t('list')}
        columns={columns}
        rows={rates.data?.data ?? []}
        rowKey={(rate) => rate.id}
        rowName={name}
        state={state}
        onState={(next) => void navigate({ search: (before) => ({ ...before, ...codec.write(next) }) })}
        total={rates.data?.total ?? 0}
        pageSizes={pageSizes}
        status={rates.isPending ? 'loading' : rates.isPlaceholderData ? 'refreshing' : 'ready'}
        failure={
          rates.isError
            ? { title: t('failed'), failure: asProblem(rates.error), onRetry: () => void rates.refetch() }
            : null
        }
        empty={<Begin />}
      />
      {leaving ? <RemovePlanned key={leaving.id} rate={leaving} onClose={() => setLeaving(null)} /> : null}
    </>
  );
}

export const Route = createLazyRoute('/desk/rates')({ component: RatesPage });
