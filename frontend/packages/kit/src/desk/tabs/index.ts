import '../texts.ts';

export { type Tab, tabOf, Tabs } from './tabs.tsx';
