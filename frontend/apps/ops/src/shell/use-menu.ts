import { useConfig } from '@portage/frame';
import type { FirstTexts } from '@portage/i18n';
import type { Icon } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

export const menuGroups = ['moves', 'money', 'words', 'house'] as const;
export type MenuGroup = (typeof menuGroups)[number];

/** How a page stands in the menu. */
export interface MenuEntry {
  /** Key of its name, with the namespace: usually the title of the page. */
  title: string;
  icon: Icon;
  group: MenuGroup;
  /** It has no page yet: only the demonstration lists it. */
  planned?: true;
}

/** Where these names lie: those of most pages in texts that came with the first ones; others are fetched. */
const namespacesOf = (titles: string[]) =>
  ['shell', ...new Set(titles.map((title) => title.split(':')[0] ?? 'shell'))] as unknown as FirstTexts;

/** The pages that the menu lists, in the order of the route tree, with their names. */
export function useMenu(): { to: string; label: string; icon: Icon; group: MenuGroup }[] {
  const router = useRouter();
  const demo = useConfig()?.mode === 'demo';
  const entries = Object.values(router.routesByPath).flatMap(({ fullPath, options }) => {
    const menu = options.staticData?.menu;
    return menu && (!menu.planned || demo) ? [{ to: fullPath as string, menu }] : [];
  });
  const { t } = useTranslation(namespacesOf(entries.map(({ menu }) => menu.title)));
  // the keys come from routes, beyond what the types of `t` can follow
  const name = t as unknown as (key: string) => string;
  return entries.map(({ to, menu }) => ({ to, label: name(menu.title), icon: menu.icon, group: menu.group }));
}
