import { type DeskBooking, findBookings } from '@portage/api';
import { cityName } from '@portage/domain';
import { chooseLanguage, languageOrder } from '@portage/frame';
import { formatCalendarDate, useLanguage } from '@portage/i18n';
import { type CommandGroup, CommandPalette, useRecent } from '@portage/kit/desk/palette';
import { IconKeyboard, IconLogout, IconPlus, IconTruck, IconWorld } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { showOverlay } from './help.ts';
import { searchLength } from './search-length.ts';
import { signOut } from './session.ts';
import { useMenu } from './use-menu.ts';

const icon = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;
/** So long typing must pause before the server is asked. */
const pauseMs = 250;

function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

interface PaletteProps {
  opened: boolean;
  /** What was typed before its field was there. */
  typedEarly: string;
  onClose: () => void;
}

/** Finds pages, commands and bookings by a few letters. */
export function Palette({ opened, typedEarly, onClose }: PaletteProps) {
  const { t } = useTranslation(['shell', 'common']);
  const language = useLanguage();
  const navigate = useNavigate();
  const menu = useMenu();
  const [recent, remember] = useRecent('portage.desk.recent');
  const [typed, setTyped] = useState('');
  const asked = usePaused(typed.trim());
  const found = useQuery({
    queryKey: ['desk', 'find', asked],
    queryFn: () => findBookings(asked),
    enabled: opened && searchLength(asked) > 1,
    placeholderData: keepPreviousData,
    meta: { personal: true },
  });
  const line = (row: DeskBooking) =>
    [
      row.shortId,
      formatCalendarDate(row.date, language, { month: 'short', day: 'numeric', year: 'numeric' }),
      `${cityName(row.pickup.city, language)} → ${cityName(row.dropoff.city, language)}`,
    ].join(' · ');
  const groups: CommandGroup[] = [
    {
      key: 'bookings',
      label: t('palette.bookings'),
      matched: true,
      commands: (searchLength(typed) > 1 ? (found.data?.data ?? []) : []).map((row) => ({
        id: row.id,
        label: row.customerName,
        hint: line(row),
        icon: <IconTruck {...icon} />,
        onRun: () => void navigate({ to: '/bookings/$id', params: { id: row.id } }),
      })),
    },
    {
      key: 'go',
      label: t('palette.go'),
      commands: menu.map((entry) => ({
        id: `go:${entry.to}`,
        label: entry.label,
        icon: <entry.icon {...icon} />,
        // the English name is what colleagues say to each other
        words: [entry.to.replaceAll('/', ' ').trim()],
        ...(entry.to === '/bookings' ? { keys: ['g', 'b'] } : {}),
        onRun: () => void navigate({ to: entry.to }),
      })),
    },
    {
      key: 'do',
      label: t('palette.do'),
      commands: [
        {
          id: 'new-booking',
          label: t('do.newBooking'),
          icon: <IconPlus {...icon} />,
          words: ['new', 'book', 'call', 'phone'],
          keys: ['n'],
          onRun: () => void navigate({ to: '/bookings/new' }),
        },
        {
          id: 'keys',
          label: t('nav.keys'),
          icon: <IconKeyboard {...icon} />,
          keys: ['?'],
          onRun: () => setTimeout(() => showOverlay('keys')),
        },
        ...languageOrder
          .filter((code) => code !== language)
          .map((code) => ({
            id: `language:${code}`,
            label: t('palette.language', { language: t(`common:lang.${code}`) }),
            words: [code, 'language', 'langue'],
            icon: <IconWorld {...icon} />,
            onRun: () => void chooseLanguage(code),
          })),
        {
          id: 'sign-out',
          label: t('common:action.signOut'),
          icon: <IconLogout {...icon} />,
          onRun: () => void signOut(),
        },
      ],
    },
  ];
  const close = () => {
    setTyped('');
    onClose();
  };
  return (
    <CommandPalette
      opened={opened}
      typedEarly={typedEarly}
      onClose={close}
      groups={groups}
      recent={recent}
      // a booking stays out of what this device remembers
      onRan={(id) => (groups[0]?.commands.some((one) => one.id === id) ? undefined : remember(id))}
      onQuery={setTyped}
      searching={found.isFetching}
    />
  );
}
