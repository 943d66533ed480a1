import '../texts.ts';

export { DeskButton, IconButton } from './button.tsx';
export { CheckBox } from './check-box.tsx';
