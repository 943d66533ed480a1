import { Tabs } from '@portage/kit/desk/tabs';
import { useState } from 'react';

import { setAddress, useAddress } from '../address.ts';
import { Example } from '../example.tsx';
import { useSay } from '../say.ts';

export function TabsSection() {
  const say = useSay();
  const view = useAddress()['view'];
  const [manual, setManual] = useState('price');
  return (
    <>
      <Example title={say('In the address, with counts', 'Dans l’adresse, avec des nombres', '在地址中，带数量')}>
        <Tabs
          label={say('Saved views', 'Vues enregistrées', '已存视图')}
          tabs={[
            { key: 'today', label: say('Today', 'Aujourd’hui', '今天'), count: 14 },
            { key: 'unassigned', label: say('Unassigned', 'Sans équipe', '未分派'), count: 3, urgent: true },
            {
              key: 'payment',
              label: say('Payment problem', 'Problème de paiement', '付款问题'),
              count: 2,
              urgent: true,
            },
            { key: 'requests', label: say('Requests', 'Demandes', '请求'), count: 0, urgent: true },
            { key: 'all', label: say('All', 'Toutes', '全部') },
          ]}
          value={view}
          onChange={(key) => setAddress({ view: key === 'today' ? undefined : key })}
        >
          {(key) => <p>{say(`What “${key}” shows`, `Ce que « ${key} » montre`, `“${key}”的内容`)}</p>}
        </Tabs>
      </Example>
      <Example title={say('Opened by Enter', 'Ouvert par Entrée', '按回车打开')}>
        <Tabs
          manual
          label={say('Parts of the booking', 'Parties de la réservation', '预订内容')}
          tabs={[
            { key: 'price', label: say('Price', 'Prix', '价格') },
            { key: 'items', label: say('Items', 'Objets', '物品'), count: 61 },
            { key: 'notes', label: say('Notes', 'Notes', '备注'), count: 2 },
          ]}
          value={manual}
          onChange={setManual}
        >
          {(key) => <p>{key}</p>}
        </Tabs>
      </Example>
    </>
  );
}
