import '../texts.ts';

export type { FileRules } from './check-files.ts';
export { FileDrop } from './file-drop.tsx';
export type { FileItem } from './chosen-files.tsx';
