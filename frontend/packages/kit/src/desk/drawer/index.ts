import '../texts.ts';

export { Drawer, type DrawerProps } from './drawer.tsx';
