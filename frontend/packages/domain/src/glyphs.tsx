import type { ReactNode } from 'react';

// Side views on a 48 by 36 grid: a 1.75 line in the current colour, and one strap-yellow detail each.
const yellow = 'var(--pg-accent)';

const drawings = {
  couch: (
    <>
      <path d="M9 18v-6a3 3 0 0 1 3-3h24a3 3 0 0 1 3 3v6" />
      <path d="M5 20a3.5 3.5 0 0 1 7 0v4h24v-4a3.5 3.5 0 0 1 7 0v9H5zM9 29v3M39 29v3" />
      <path d="M24 10v13" />
      <path d="M14 17h6v6h-6z" fill={yellow} stroke="none" />
    </>
  ),
  armchair: (
    <>
      <path d="M16 18v-7a3 3 0 0 1 3-3h10a3 3 0 0 1 3 3v7" />
      <path d="M11 20a3 3 0 0 1 6 0v4h14v-4a3 3 0 0 1 6 0v9H11zM15 29v3M33 29v3" />
      <path d="M20 19h8v4h-8z" fill={yellow} stroke="none" />
    </>
  ),
  bed: (
    <>
      <path d="M6 8v24M6 28h36M42 32V22a3 3 0 0 0-3-3H6" />
      <path d="M10 14h9a2 2 0 0 1 2 2v3H10z" fill={yellow} stroke="none" />
      <path d="M10 19v-5h9a2 2 0 0 1 2 2v3" />
    </>
  ),
  mattress: (
    <>
      <rect x="5" y="15" width="38" height="12" rx="3" />
      <path d="M5 21h38" strokeDasharray="2 3" />
      <path d="M38 15v12" stroke={yellow} strokeWidth="3" />
    </>
  ),
  bunk: (
    <>
      <path d="M8 5v27M40 5v27M8 13h32M8 27h32" />
      <path d="M30 13v14M35 13v14M30 18h5M30 22h5" />
      <path d="M11 9.500h8V13h-8zM11 23.500h8V27h-8z" fill={yellow} stroke="none" />
    </>
  ),
  dresser: (
    <>
      <rect x="11" y="6" width="26" height="24" rx="2" />
      <path d="M11 14h26M11 22h26M14 30v2M34 30v2M22 10h4M22 26h4" />
      <path d="M21 18h6" stroke={yellow} strokeWidth="3" />
    </>
  ),
  wardrobe: (
    <>
      <rect x="12" y="3" width="24" height="28" rx="2" />
      <path d="M24 3v28M15 31v2M33 31v2M21 16v4" />
      <path d="M27 15v6" stroke={yellow} strokeWidth="3" />
    </>
  ),
  nightstand: (
    <>
      <rect x="15" y="16" width="18" height="14" rx="2" />
      <path d="M15 23h18M18 30v3M30 30v3M22 19.500h4" />
      <path d="M21 9h6l2 5H19z" fill={yellow} />
    </>
  ),
  mirror: (
    <>
      <ellipse cx="24" cy="16" rx="8" ry="12" />
      <path d="M20 28l-3 5M28 28l3 5" />
      <path d="M20 17l6-6" stroke={yellow} strokeWidth="3" />
    </>
  ),
  box: (
    <>
      <path d="M9 13h30v18H9zM9 13l4-6h22l4 6" />
      <path d="M21 7l-1 6v7h8v-7l-1-6" fill={yellow} stroke="none" />
      <path d="M21 7l-1 6v7h8v-7l-1-6" />
    </>
  ),
  bin: (
    <>
      <path d="M9 12h30l-3 19H12zM7 12h34M7 9h34v3H7z" />
      <path d="M20 19h8" stroke={yellow} strokeWidth="3" />
    </>
  ),
  suitcase: (
    <>
      <rect x="10" y="12" width="28" height="19" rx="3" />
      <path d="M19 12V8a2 2 0 0 1 2-2h6a2 2 0 0 1 2 2v4M16 12v19M32 12v19" />
      <path d="M21 22h6" stroke={yellow} strokeWidth="3" />
    </>
  ),
  table: (
    <>
      <path d="M5 12h38v4H5zM9 16v16M39 16v16" />
      <path d="M22 12V8h4v4z" fill={yellow} />
    </>
  ),
  chair: (
    <>
      <path d="M16 4v28M16 19h15v13M16 7h3v8h-3" />
      <path d="M16 16h15v3H16z" fill={yellow} />
    </>
  ),
  fridge: (
    <>
      <rect x="15" y="3" width="18" height="29" rx="2" />
      <path d="M15 13h18M18 32v2M30 32v2M19 17v6" />
      <path d="M19 7v3" stroke={yellow} strokeWidth="3" />
    </>
  ),
  washer: (
    <>
      <rect x="12" y="5" width="24" height="27" rx="2" />
      <path d="M12 11h24M16 8h5" />
      <circle cx="24" cy="21" r="7" />
      <path d="M19 22c2-2 3 1 5 0s3-1 5 0a5 5 0 0 1-10 0z" fill={yellow} stroke="none" />
    </>
  ),
  range: (
    <>
      <path d="M12 9h24v23H12zM12 9V4h24v5M12 15h24" />
      <path d="M16 20h16v8H16z" />
      <path d="M17 12h2M23 12h2M29 12h2" stroke={yellow} strokeWidth="3" />
    </>
  ),
  appliance: (
    <>
      <rect x="8" y="10" width="32" height="19" rx="2" />
      <path d="M12 14h18v11H12zM12 29v3M36 29v3" />
      <path d="M35 15v1M35 20v4" stroke={yellow} strokeWidth="3" />
    </>
  ),
  tv: (
    <>
      <rect x="6" y="6" width="36" height="20" rx="2" />
      <path d="M24 26v5M16 31h16" />
      <path d="M37 22h1" stroke={yellow} strokeWidth="3" />
    </>
  ),
  bookcase: (
    <>
      <path d="M13 3h22v29H13zM13 12h22M13 22h22" />
      <path d="M17 12V6M20 12V6M28 22v-6M31 22v-6" />
      <path d="M17 22v-7h4v7z" fill={yellow} />
    </>
  ),
  desk: (
    <>
      <path d="M5 13h38v3H5zM8 16v16M40 32V16M28 16v9h12" />
      <path d="M32 20h4" stroke={yellow} strokeWidth="3" />
    </>
  ),
  lamp: (
    <>
      <path d="M24 15v16M17 32h14" />
      <path d="M19 4h10l4 11H15z" fill={yellow} />
    </>
  ),
  rug: (
    <>
      <path d="M9 20h27a5 5 0 1 0-5-5 2.5 2.5 0 1 0 5 0" />
      <path d="M9 20v6h30a6 6 0 0 0 2-11" />
      <path d="M9 20v6" stroke={yellow} strokeWidth="3" />
    </>
  ),
  piano: (
    <>
      <path d="M9 6h30v26H9zM9 16h30v6H9zM14 22v10M34 22v10" />
      <path d="M15 16v3M20 16v3M25 16v3M30 16v3" />
      <path d="M19 10h10" stroke={yellow} strokeWidth="3" />
    </>
  ),
  plant: (
    <>
      <path d="M17 23h14l-2 10H19zM24 23V9M24 17c-5 0-8-3-8-7 5 0 8 3 8 7zM24 14c0-5 3-8 8-8 0 5-3 8-8 8z" />
      <path d="M19 27h10" stroke={yellow} strokeWidth="3" />
    </>
  ),
  bicycle: (
    <>
      <circle cx="13" cy="24" r="7.5" />
      <circle cx="35" cy="24" r="7.5" />
      <path d="M13 24l7-12h11l4 12M20 12l4 12h-11M24 24l8-12M30 8h4" />
      <path d="M16 9.500h7" stroke={yellow} strokeWidth="3" />
    </>
  ),
  barbecue: (
    <>
      <path d="M12 15h24a12 8 0 0 1-24 0zM18 22l-4 11M30 22l4 11M14 14a10 7 0 0 1 20 0" />
      <path d="M22 6h4" stroke={yellow} strokeWidth="3" />
    </>
  ),
  tools: (
    <>
      <path d="M7 16h34v15H7zM17 16v-4a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2v4M7 22h34" />
      <path d="M21 20h6v5h-6z" fill={yellow} />
    </>
  ),
  weights: (
    <>
      <path d="M15 18h18M10 11v14M15 9v18M33 9v18M38 11v14M6 15v6M42 15v6" />
      <path d="M21 18h6" stroke={yellow} strokeWidth="4" />
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
} satisfies Record<string, ReactNode>;

export type GlyphName = keyof typeof drawings;

/** A drawn piece; decorative, so the text beside it must say the same. */
export function Glyph({ name, size = 48 }: { name: GlyphName; size?: number }) {
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
      {drawings[name]}
    </svg>
  );
}
