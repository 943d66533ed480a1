/**
 * Pieces are drawn from the front on a grid of 96 by 72, standing on the line y = 64: about ten units are a foot, small
 * things are drawn larger. A drawing is a list of paths, each with one of five manners.
 */
export type Manner = 'body' | 'tint' | 'line' | 'spot' | 'strap';
export type Stroke = readonly [Manner, string];
export type Drawing = readonly Stroke[];

/** Outlined and filled with the page. */
export const body = (path: string): Stroke => ['body', path];
/** Outlined and filled with the tint. */
export const tint = (path: string): Stroke => ['tint', path];
/** A line without a fill. */
export const line = (path: string): Stroke => ['line', path];
/** Outlined and filled with the accent: one a drawing. */
export const spot = (path: string): Stroke => ['spot', path];
/** A thick line of the accent. */
export const strap = (path: string): Stroke => ['strap', path];

/** Where pieces stand. */
export const ground = 64;

/** A rectangle with round corners. */
export function rect(x: number, y: number, w: number, h: number, r = 2): string {
  const q = Math.min(r, w / 2, h / 2);
  return `M${x + q} ${y}h${w - 2 * q}a${q} ${q} 0 0 1 ${q} ${q}v${h - 2 * q}a${q} ${q} 0 0 1 ${-q} ${q}h${2 * q - w}a${q} ${q} 0 0 1 ${-q} ${-q}v${2 * q - h}a${q} ${q} 0 0 1 ${q} ${-q}z`;
}

/** One that stands on the ground in the middle. */
export function standing(w: number, h: number, r = 2, above = 0): string {
  return rect(48 - w / 2, ground - above - h, w, h, r);
}

export function circle(x: number, y: number, r: number, ry = r): string {
  return `M${x - r} ${y}a${r} ${ry} 0 1 0 ${2 * r} 0a${r} ${ry} 0 1 0 ${-2 * r} 0z`;
}

/** Two or more feet below `y`. */
export function feet(xs: number[], y: number): string {
  return xs.map((x) => `M${x} ${y}V${ground}`).join('');
}

/** Horizontal parts of a box at `x`, `w` wide: lines between rows. */
export function rows(x: number, y: number, w: number, h: number, count: number): string {
  return Array.from({ length: count - 1 }, (_, row) => `M${x} ${y + ((row + 1) * h) / count}h${w}`).join('');
}

export function columns(x: number, y: number, w: number, h: number, count: number): string {
  return Array.from({ length: count - 1 }, (_, column) => `M${x + ((column + 1) * w) / count} ${y}v${h}`).join('');
}

/** A short handle in the middle of each cell of a grid. */
export function handles(x: number, y: number, w: number, h: number, across: number, down: number): string {
  return Array.from({ length: across * down }, (_, cell) => {
    const cx = x + ((cell % across) + 0.5) * (w / across);
    const cy = y + (Math.floor(cell / across) + 0.5) * (h / down);
    return `M${cx - 3} ${cy}h6`;
  }).join('');
}
