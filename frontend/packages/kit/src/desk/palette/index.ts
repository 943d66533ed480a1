import '../texts.ts';

export { CommandPalette } from './command-palette.tsx';
export type { Command, CommandGroup } from './commands.ts';
export { fuzzyMatch } from './fuzzy.ts';
export { useRecent } from './recent.ts';
export { paletteKeyName, usePaletteKey } from './use-palette-key.ts';
