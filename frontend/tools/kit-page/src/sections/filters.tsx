import { FilterBar, type FilterValues, SearchBox } from '@portage/kit/desk/filters';
import { useState } from 'react';

import { Example } from '../example.tsx';
import { today } from '../sample.ts';
import { useSay } from '../say.ts';
import { useBookingFilters } from './use-booking-filters.ts';

function Bar({ label, first }: { label: string; first: FilterValues }) {
  const say = useSay();
  const [values, setValues] = useState(first);
  return (
    <FilterBar
      label={label}
      filters={useBookingFilters()}
      values={values}
      onChange={setValues}
      today={today}
      results={say('128 bookings', '128 réservations', '128 个预订')}
    />
  );
}

function Box() {
  const say = useSay();
  const [value, setValue] = useState('Beauchemin');
  return <SearchBox label={say('Search', 'Rechercher', '搜索')} value={value} onSearch={setValue} slash={false} />;
}

export function Filters() {
  const say = useSay();
  return (
    <>
      <Example title={say('Nothing set', 'Rien d’appliqué', '未设筛选')}>
        <Bar label={say('Nothing set', 'Rien d’appliqué', '未设筛选')} first={{}} />
      </Example>
      <Example title={say('Three set', 'Trois appliqués', '已设三项')}>
        <Bar
          label={say('Three set', 'Trois appliqués', '已设三项')}
          first={{
            status: { kind: 'choice', values: ['pending', 'problem', 'progress'] },
            hub: { kind: 'choice', values: ['montreal'] },
            moves: { kind: 'days', range: { from: '2027-06-20', to: '2027-07-05' } },
          }}
        />
      </Example>
      <Example title={say('All set', 'Tous appliqués', '全部已设')}>
        <Bar
          label={say('All set', 'Tous appliqués', '全部已设')}
          first={{
            q: { kind: 'text', text: 'Beauchemin' },
            status: { kind: 'choice', values: ['pending', 'problem'] },
            hub: { kind: 'choice', values: ['montreal'] },
            moves: { kind: 'days', range: 'next7' },
            mate: { kind: 'choice', values: ['tariq'] },
            street: {
              kind: 'text',
              text: say('Côte-Saint-Antoine-de-Padoue', 'chemin de la Côte-Saint-Antoine-de-Padoue', '圣安东尼路'),
            },
          }}
        />
      </Example>
      <Example title={say('The search field alone', 'Le champ de recherche seul', '单独的搜索框')}>
        <Box />
      </Example>
    </>
  );
}
