import type { ReactNode } from 'react';

// Side views on a 48 by 36 grid: a 1.75 line in the current colour, and one strap-yellow detail each.
export const yellow = 'var(--pg-accent)';

export const firstDrawings = {
  box: (
    <>
      <path d="M9 13h30v18H9zM9 13l4-6h22l4 6" />
      <path d="M21 7l-1 6v7h8v-7l-1-6" fill={yellow} stroke="none" />
      <path d="M21 7l-1 6v7h8v-7l-1-6" />
    </>
  ),
  truck: (
    <>
      <path d="M3 8h25v19H3zM28 14h9l6 7v6H28z" />
      <circle cx="12" cy="28" r="4" fill="var(--pg-surface)" />
      <circle cx="36" cy="28" r="4" fill="var(--pg-surface)" />
      <path d="M8 14h12" stroke={yellow} strokeWidth="3" />
    </>
  ),
  portage: (
    <>
      <path d="M3 27c5 0 6-3 10-3M35 24c4 0 5 3 10 3" />
      <path d="M12 22C17 20 18 10 24 10s7 10 12 12" strokeDasharray="3 3" />
      <circle cx="12" cy="23" r="3" fill={yellow} />
      <path d="M33.5 20.500h5v5h-5z" fill="currentColor" />
    </>
  ),
  suitcase: (
    <>
      <rect x="10" y="12" width="28" height="19" rx="3" />
      <path d="M19 12V8a2 2 0 0 1 2-2h6a2 2 0 0 1 2 2v4M16 12v19M32 12v19" />
      <path d="M21 22h6" stroke={yellow} strokeWidth="3" />
    </>
  ),
} satisfies Record<string, ReactNode>;

/** The shape of a drawing, `children` its lines; decorative, so the text beside it must say the same. */
export function GlyphFrame({ size = 48, children }: { size?: number; children: ReactNode }) {
  return (
    <svg
      width={size}
      height={(size * 36) / 48}
      viewBox="0 0 48 36"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

/** What the first page shows. All drawings: `@portage/domain/glyphs`, which stays out of what every visitor loads. */
export function Glyph({ name, size }: { name: keyof typeof firstDrawings; size?: number }) {
  return <GlyphFrame {...(size ? { size } : {})}>{firstDrawings[name]}</GlyphFrame>;
}
