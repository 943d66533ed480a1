import { DeskButton } from '@portage/kit/desk/button';
import { CommandPalette, type CommandGroup, paletteKeyName, usePaletteKey, useRecent } from '@portage/kit/desk/palette';
import { IconCalendar, IconCreditCardRefund, IconFile, IconPlus, IconTruck, IconUsers } from '@tabler/icons-react';
import { type ReactNode, useCallback, useState } from 'react';

import { setAddress } from '../address.ts';
import { Example } from '../example.tsx';
import { bookings } from '../sample.ts';
import { useSay } from '../say.ts';

const icon = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

export function Palette() {
  const say = useSay();
  const [opened, setOpened] = useState(false);
  const [recent, remember] = useRecent('portage.kit.recent');
  const [ran, setRan] = useState('');
  usePaletteKey(useCallback(() => setOpened((now) => !now), []));
  const page = (id: string, label: string, sign: ReactNode, words: string[], keys: string[]) => ({
    id,
    label,
    icon: sign,
    words,
    keys,
    onRun: () => setRan(label),
  });
  const groups: CommandGroup[] = [
    {
      key: 'go',
      label: say('Go to', 'Aller à', '前往'),
      commands: [
        page(
          'bookings',
          say('Bookings', 'Réservations', '预订'),
          <IconFile {...icon} />,
          ['bookings', 'yuding'],
          ['g', 'b'],
        ),
        page(
          'calendar',
          say('Calendar of capacity', 'Calendrier de capacité', '运力日历'),
          <IconCalendar {...icon} />,
          ['capacity', 'yunli'],
          ['g', 'c'],
        ),
        page(
          'mates',
          say('Mates', 'Déménageurs', '搬运工'),
          <IconUsers {...icon} />,
          ['mates', 'banyungong'],
          ['g', 'm'],
        ),
        page('trucks', say('Trucks', 'Camions', '卡车'), <IconTruck {...icon} />, ['trucks', 'kache'], ['g', 't']),
      ],
    },
    {
      key: 'do',
      label: say('Do', 'Faire', '执行'),
      commands: [
        {
          id: 'new',
          label: say('New booking', 'Nouvelle réservation', '新建预订'),
          icon: <IconPlus {...icon} />,
          words: ['xinjian yuding'],
          onRun: () => setAddress({ show: 'list' }),
        },
        {
          id: 'cancel',
          label: say('Cancel a booking', 'Annuler une réservation', '取消预订'),
          hint: say('asks for the code', 'demande le code', '需要编号'),
          icon: <IconFile {...icon} />,
          words: ['quxiao yuding'],
          onRun: () => setRan('cancel'),
        },
        {
          id: 'refund',
          label: say('Refund', 'Rembourser', '退款'),
          icon: <IconCreditCardRefund {...icon} />,
          disabledReason: say('only an owner may', 'réservé au propriétaire', '仅限所有者'),
          onRun: () => {},
        },
      ],
    },
    {
      key: 'customers',
      label: say('Bookings', 'Réservations', '预订记录'),
      commands: bookings.slice(0, 12).map((row) => ({
        id: row.code,
        label: row.name,
        hint: `${row.code} · ${row.from} → ${row.to}`,
        onRun: () => setRan(row.code),
      })),
    },
  ];
  return (
    <Example title={say('Opened by a key or a button', 'Ouverte par une touche ou un bouton', '按键或按钮打开')}>
      <DeskButton onClick={() => setOpened(true)} aria-keyshortcuts="Control+K Meta+K">
        {say('Go to or do', 'Aller ou faire', '前往或执行')} ({paletteKeyName()})
      </DeskButton>
      <p role="status">{ran}</p>
      <CommandPalette
        opened={opened}
        onClose={() => setOpened(false)}
        groups={groups}
        recent={recent}
        onRan={remember}
      />
    </Example>
  );
}
