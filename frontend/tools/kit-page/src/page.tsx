import { useMantineColorScheme } from '@mantine/core';
import { changeLanguage, languages, useLanguage } from '@portage/i18n';
import { PageHeading } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { Toasts } from '@portage/kit/desk/toasts';
import type { ReactNode } from 'react';

import { useAddress } from './address.ts';
import classes from './page.module.css';
import { useSay } from './say.ts';
import { Controls } from './sections/controls.tsx';
import { Dates } from './sections/dates.tsx';
import { Dialogs } from './sections/dialogs.tsx';
import { DrawerSection } from './sections/drawer.tsx';
import { Fields } from './sections/fields.tsx';
import { Files } from './sections/files.tsx';
import { Filters } from './sections/filters.tsx';
import { List } from './sections/list.tsx';
import { Messages } from './sections/messages.tsx';
import { Palette } from './sections/palette.tsx';
import { States } from './sections/states.tsx';
import { TableStates } from './sections/table-states.tsx';
import { TabsSection } from './sections/tabs.tsx';
import { ToastsSection } from './sections/toasts.tsx';
import { Way } from './sections/way.tsx';

const sections: Record<string, { title: [string, string, string]; draw: () => ReactNode }> = {
  list: { title: ['Bookings', 'Réservations', '预订'], draw: () => <List /> },
  tables: { title: ['Table, its states', 'Tableau, ses états', '表格的各种状态'], draw: () => <TableStates /> },
  filters: { title: ['Filter bar', 'Barre de filtres', '筛选栏'], draw: () => <Filters /> },
  drawer: { title: ['Drawer', 'Volet', '侧栏'], draw: () => <DrawerSection /> },
  toasts: { title: ['Toasts', 'Messages brefs', '短消息'], draw: () => <ToastsSection /> },
  tabs: { title: ['Tabs', 'Onglets', '选项卡'], draw: () => <TabsSection /> },
  dates: { title: ['Date range', 'Période', '日期范围'], draw: () => <Dates /> },
  files: { title: ['File drop', 'Dépôt de fichiers', '文件上传'], draw: () => <Files /> },
  palette: { title: ['Command palette', 'Palette de commandes', '命令面板'], draw: () => <Palette /> },
  states: { title: ['States', 'États', '状态'], draw: () => <States /> },
  fields: { title: ['Fields', 'Champs', '表单项'], draw: () => <Fields /> },
  messages: { title: ['Messages', 'Messages', '消息'], draw: () => <Messages /> },
  way: { title: ['Progress', 'Progression', '进度'], draw: () => <Way /> },
  dialogs: { title: ['Dialogs', 'Dialogues', '对话框'], draw: () => <Dialogs /> },
  controls: { title: ['Buttons and boxes', 'Boutons et cases', '按钮与复选框'], draw: () => <Controls /> },
};

export function Page() {
  const say = useSay();
  const language = useLanguage();
  const { setColorScheme, colorScheme } = useMantineColorScheme();
  const asked = useAddress()['show'] ?? 'list';
  const shown = asked in sections ? asked : 'list';
  const section = sections[shown];
  return (
    <div className={classes['page']}>
      <nav className={classes['nav']} aria-label={say('Components', 'Composants', '组件')}>
        <ul>
          {Object.entries(sections).map(([key, { title }]) => (
            <li key={key}>
              <a href={`?show=${key}`} aria-current={key === shown ? 'page' : undefined}>
                {say(...title)}
              </a>
            </li>
          ))}
        </ul>
        <div className={classes['switches']}>
          {languages.map((one) => (
            <DeskButton
              key={one}
              variant="quiet"
              aria-pressed={one === language}
              onClick={() => void changeLanguage(one)}
            >
              {one}
            </DeskButton>
          ))}
          <DeskButton variant="quiet" onClick={() => setColorScheme(colorScheme === 'dark' ? 'light' : 'dark')}>
            {say('Light or dark', 'Clair ou sombre', '浅色或深色')}
          </DeskButton>
        </div>
      </nav>
      <main className={classes['main']}>
        {section ? <PageHeading title={say(...section.title)} /> : null}
        {section?.draw()}
      </main>
      <Toasts />
    </div>
  );
}
