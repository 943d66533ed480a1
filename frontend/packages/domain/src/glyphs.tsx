import type { ReactNode } from 'react';

import { firstDrawings, GlyphFrame, yellow } from './glyph.tsx';

const drawings = {
  ...firstDrawings,
  couch: (
    <>
      <path d="M9 18v-6a3 3 0 0 1 3-3h24a3 3 0 0 1 3 3v6" />
      <path d="M5 20a3.5 3.5 0 0 1 7 0v4h24v-4a3.5 3.5 0 0 1 7 0v9H5zM9 29v3M39 29v3" />
      <path d="M24 10v13" />
      <path d="M14 17h6v6h-6z" fill={yellow} stroke="none" />
    </>
  ),
  wardrobe: (
    <>
      <rect x="12" y="3" width="24" height="28" rx="2" />
      <path d="M24 3v28M15 31v2M33 31v2M21 16v4" />
      <path d="M27 15v6" stroke={yellow} strokeWidth="3" />
    </>
  ),
  mirror: (
    <>
      <ellipse cx="24" cy="16" rx="8" ry="12" />
      <path d="M20 28l-3 5M28 28l3 5" />
      <path d="M20 17l6-6" stroke={yellow} strokeWidth="3" />
    </>
  ),
  bin: (
    <>
      <path d="M9 12h30l-3 19H12zM7 12h34M7 9h34v3H7z" />
      <path d="M20 19h8" stroke={yellow} strokeWidth="3" />
    </>
  ),
  desk: (
    <>
      <path d="M5 13h38v3H5zM8 16v16M40 32V16M28 16v9h12" />
      <path d="M32 20h4" stroke={yellow} strokeWidth="3" />
    </>
  ),
  tools: (
    <>
      <path d="M7 16h34v15H7zM17 16v-4a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2v4M7 22h34" />
      <path d="M21 20h6v5h-6z" fill={yellow} />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type GlyphName = keyof typeof drawings;

/** Any of the drawings. */
export function Glyph({ name, size }: { name: GlyphName; size?: number }) {
  return <GlyphFrame {...(size ? { size } : {})}>{drawings[name]}</GlyphFrame>;
}
