import type { Filter } from '@portage/kit/desk/filters';

import { useSay } from '../say.ts';
import { useStates } from './booking-columns.tsx';

export function useBookingFilters(): readonly Filter[] {
  const say = useSay();
  const states = useStates();
  return [
    {
      kind: 'text',
      key: 'q',
      label: say('Search bookings', 'Chercher une réservation', '搜索预订'),
      placeholder: say('Name, phone, address, code', 'Nom, téléphone, adresse, code', '姓名、电话、地址、编号'),
    },
    {
      kind: 'choice',
      key: 'status',
      label: say('Status', 'Statut', '状态'),
      options: Object.entries(states).map(([value, label]) => ({ value, label })),
    },
    {
      kind: 'choice',
      key: 'hub',
      label: say('Hub', 'Centre', '网点'),
      one: true,
      options: [
        { value: 'montreal', label: 'Montréal' },
        { value: 'laval', label: 'Laval' },
        { value: 'quebec', label: 'Québec' },
        { value: 'toronto', label: 'Toronto' },
      ],
    },
    { kind: 'days', key: 'moves', label: say('Moves', 'Déménage', '搬家日') },
    {
      kind: 'choice',
      key: 'mate',
      label: say('Mate', 'Déménageur', '搬运工'),
      options: ['Ali', 'Élodie', 'Jules', 'Léa', 'Marc', 'Mei', 'Noor', 'Sofia', 'Tariq', 'Yann'].map((name) => ({
        value: name.toLowerCase(),
        label: name,
      })),
    },
    {
      kind: 'text',
      key: 'street',
      label: say('Street', 'Rue', '街道'),
      placeholder: say('Part of its name', 'Une partie du nom', '街道名的一部分'),
    },
  ];
}
