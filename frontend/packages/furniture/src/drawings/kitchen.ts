import { body, circle, columns, type Drawing, feet, line, rect, spot, strap, tint } from './strokes.ts';

/** A table from the side with the backs of the chairs behind it. */
function diningTable(w: number, chairs: number): Drawing {
  const x = 48 - w / 2;
  const step = (w - 8) / chairs;
  const backs = Array.from({ length: chairs }, (_, chair) => rect(x + 4 + step * (chair + 0.5) - 6, 20, 12, 18, 3));
  return [
    ...backs.map(tint),
    body(rect(x, 36, w, 6, 2)),
    line(feet([x + 6, x + w - 6], 42)),
    line(`M${x + 12} 42v4h${w - 24}v-4`),
    spot('M43 36l1 -6h8l1 6z'),
  ];
}

export const kitchen: Record<string, Drawing> = {
  'dining-table-4': diningTable(54, 2),
  'dining-table-6': diningTable(70, 3),
  'dining-table-8': diningTable(88, 4),
  'kitchen-table-small': [
    body(circle(48, 36, 26, 6)),
    line('M48 42v18M36 64c0 -4 24 -4 24 0z'),
    spot(circle(48, 35, 6, 1.8)),
  ],
  'dining-chair': [
    body(rect(36, 10, 24, 28, 4)),
    line('M44 12v24M52 12v24'),
    tint(rect(33, 38, 30, 6, 2)),
    line('M36 44v20M60 44v20M36 54h24'),
    strap('M42 41h12'),
  ],
  'bar-stool': [
    tint(rect(34, 16, 28, 7, 3)),
    line('M38 23l-5 41M58 23l5 41M44 23l-2 34M52 23l2 34M36 48h24'),
    strap('M42 19.500h12'),
  ],
  'high-chair': [
    body(rect(36, 8, 24, 22, 5)),
    tint(rect(28, 30, 40, 6, 3)),
    line('M38 36l-8 28M58 36l8 28M34 50h28'),
    spot(circle(48, 30, 6, 2)),
  ],
  'buffet-base': [
    tint(rect(10, 26, 76, 5, 1)),
    body(rect(12, 31, 72, 29)),
    line(columns(12, 31, 72, 29, 3)),
    line('M16 60v4M80 60v4M31 44v4M65 44v4M36 40h24M45 36h6M36 50h24M45 45h6'),
    strap('M43 55h10'),
  ],
  'buffet-hutch': [
    tint(rect(14, 10, 68, 5, 1)),
    body(rect(16, 15, 64, 49)),
    line('M48 15v49M16 32h64M16 48h64'),
    line(`${circle(28, 26, 5)}${circle(40, 26, 5)}`),
    tint(circle(64, 26, 5)),
    line('M24 44h8v-6h-8zM56 44v-8M62 44v-8M68 44v-8'),
    strap('M44 52v6'),
  ],
  'china-cabinet': [
    tint(rect(22, 6, 52, 4, 1)),
    body(rect(24, 10, 48, 30)),
    line('M48 10v30M24 20h48M24 30h48'),
    line(`${circle(34, 16, 3)}${circle(42, 16, 3)}M54 20v-5h6v5M64 20v-5h4v5M30 30v-5h4v5`),
    body(rect(22, 40, 52, 21)),
    line('M48 40v21M26 61v3M70 61v3M44 48v5'),
    strap('M52 48v5'),
  ],
  'kitchen-island': [
    tint(rect(8, 28, 80, 6, 1)),
    body(rect(20, 34, 60, 30)),
    line('M40 34v30M60 34v30M44 40h12M44 48h12M34 46v6M66 46v6'),
    spot('M60 28c0 -8 14 -8 14 0z'),
  ],
  'kitchen-cart': [
    line('M30 18v42M66 18v42M66 22h8'),
    tint(rect(27, 26, 42, 4, 1)),
    body(rect(30, 44, 36, 8, 1)),
    body(rect(36, 14, 24, 12, 2)),
    line(`M52 14v12M55 18h2M55 22h2${circle(32, 62, 2)}${circle(64, 62, 2)}`),
    strap('M44 48h8'),
  ],
  'pantry-cabinet': [
    body(rect(30, 6, 36, 55)),
    line('M48 6v55M34 61v3M62 61v3M30 22h18M30 36h18M30 50h18'),
    tint('M34 22v-7h5v7zM41 22v-5h4v5zM34 36v-6h9v6z'),
    strap('M52 30v8'),
  ],
  microwave: [
    body(rect(18, 30, 60, 32, 3)),
    tint(rect(24, 36, 34, 20, 2)),
    line('M64 36h8M64 42h8M64 48h8M24 62v2M72 62v2M30 50l8 -8'),
    strap('M65 55h6'),
  ],
  'small-appliance': [
    body(rect(12, 36, 38, 26, 6)),
    line('M20 36v-4h9v4M33 36v-4h9v4M18 62v2M44 62v2'),
    tint('M60 36h18l4 26a2 2 0 0 1 -2 2H58a2 2 0 0 1 -2 -2z'),
    line('M60 36c0 -10 18 -10 18 0M82 42c8 0 8 14 2 14'),
    strap('M46 42v8'),
  ],
  'kitchen-bin': [
    body('M34 24h28l-3 38H37z'),
    tint('M32 24c0 -10 32 -10 32 0z'),
    line('M36 62h24M40 34l2 22M56 34l-2 22'),
    spot(rect(42, 61, 12, 3, 1)),
  ],
  'folding-table': [
    body(rect(10, 28, 76, 5, 1)),
    line('M20 33l16 31M36 33l-16 31M60 33l16 31M76 33l-16 31'),
    strap('M42 30.500h12'),
  ],
  'folding-chair': [
    line('M38 10l24 54M60 34l-24 30'),
    tint('M36 10h10l7 16H43z'),
    body('M42 34h26v4H44z'),
    strap('M50 36h10'),
  ],
};
