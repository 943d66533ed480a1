import '../texts.ts';

export { DeskButton, IconButton } from './button.tsx';
