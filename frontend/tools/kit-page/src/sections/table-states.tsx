import { DeskButton } from '@portage/kit/desk/button';
import { NothingYet } from '@portage/kit/desk/states';
import { DataTable, nothingSelected, tableCodec } from '@portage/kit/desk/table';
import { useState } from 'react';

import { Example } from '../example.tsx';
import { bookings } from '../sample.ts';
import { useSay } from '../say.ts';
import { columnKeys, useBookingColumns } from './booking-columns.tsx';

const codec = tableCodec({ columns: columnKeys, sort: { by: 'total', descending: true } });

export function TableStates() {
  const say = useSay();
  const columns = useBookingColumns();
  const [state, setState] = useState(codec.first);
  const [selection, setSelection] = useState({ ...nothingSelected, keys: new Set([bookings[1]?.code ?? '']) });
  const common = {
    label: say('Bookings', 'Réservations', '预订'),
    columns,
    rowKey: (row: (typeof bookings)[number]) => row.code,
    rowName: (row: (typeof bookings)[number]) => `${row.code} ${row.name}`,
    state,
    onState: setState,
    empty: (
      <NothingYet
        title={say('No bookings yet', 'Aucune réservation', '还没有预订')}
        action={<DeskButton variant="primary">{say('New booking', 'Nouvelle réservation', '新建预订')}</DeskButton>}
      >
        {say(
          'Bookings appear here as soon as somebody makes one, online or with you on the phone.',
          'Les réservations apparaissent ici dès que quelqu’un en fait une, en ligne ou avec vous au téléphone.',
          '客户在线预订，或您在电话中代为预订后，会显示在这里。',
        )}
      </NothingYet>
    ),
  };
  const failure = {
    title: say('The bookings could not be fetched', 'Impossible d’obtenir les réservations', '无法获取预订'),
    failure: { status: 503, detail: '', requestId: '01JY7Q4T' },
    onRetry: () => {},
  };
  const some = bookings.slice(0, 4);
  return (
    <>
      <Example title={say('All here: ordered in the browser', 'Tout est là : trié ici', '全部数据：在浏览器中排序')}>
        <DataTable
          {...common}
          rows={bookings.slice(0, 6)}
          selection={{ value: selection, onChange: (next) => setSelection({ ...next, keys: new Set(next.keys) }) }}
          renderLink={(row, content, props) => (
            <a href={`?show=list&open=${row.code}`} {...props}>
              {content}
            </a>
          )}
          openKey={bookings[2]?.code ?? null}
          bulkActions={<DeskButton>{say('Assign crew', 'Assigner une équipe', '分派人员')}</DeskButton>}
        />
      </Example>
      <Example title={say('Loading', 'Chargement', '加载中')}>
        <DataTable {...common} rows={[]} status="loading" selection={{ value: nothingSelected, onChange: () => {} }} />
      </Example>
      <Example title={say('Refreshing', 'Mise à jour', '正在刷新')}>
        <DataTable {...common} rows={some} status="refreshing" />
      </Example>
      <Example title={say('Empty', 'Vide', '空')}>
        <DataTable {...common} rows={[]} />
      </Example>
      <Example title={say('Nothing fits the filters', 'Rien ne correspond', '无匹配项')}>
        <DataTable {...common} rows={[]} filtered={{ onClear: () => {} }} />
      </Example>
      <Example title={say('Failed', 'Échec', '失败')}>
        <DataTable {...common} rows={[]} failure={failure} />
      </Example>
      <Example title={say('Failed, with rows from before', 'Échec, avec les lignes d’avant', '失败，保留之前的行')}>
        <DataTable {...common} rows={some} failure={failure} />
      </Example>
    </>
  );
}
