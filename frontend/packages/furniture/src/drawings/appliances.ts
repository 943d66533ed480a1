import { body, circle, type Drawing, line, rect, spot, strap, tint } from './strokes.ts';

/** A fridge with its freezer above, or with one door where `freezer` is 0. */
function fridge(w: number, h: number, freezer: number): Drawing {
  const x = 48 - w / 2;
  const y = 62 - h;
  return [
    body(rect(x, y, w, h, 3)),
    ...(freezer > 0 ? [line(`M${x} ${y + freezer}h${w}M${x + 5} ${y + 4}v${freezer - 8}`)] : []),
    line(`M${x + 4} 62v2M${x + w - 4} 62v2`),
    strap(`M${x + 5} ${y + freezer + 6}v${Math.min(14, h - freezer - 14)}`),
  ];
}

function chestFreezer(w: number, h: number): Drawing {
  const x = 48 - w / 2;
  const y = 62 - h;
  return [
    body(rect(x, y, w, h)),
    tint(rect(x - 2, y - 8, w + 4, 9, 3)),
    line(`M${x + 5} 62v2M${x + w - 5} 62v2M${x + 10} ${y + 10}v12M${x + 5} ${y + 13}l10 6M${x + 15} ${y + 13}l-10 6`),
    strap(`M44 ${y - 3.5}h8`),
  ];
}

const frontLoader = (inside: Drawing, y = 12, h = 50): Drawing => [
  body(rect(25, y, 46, h, 3)),
  line(`M25 ${y + 11}h46M30 ${y + 5.5}h9`),
  tint(circle(48, y + 11 + (h - 11) / 2, Math.min(15, (h - 17) / 2))),
  ...inside,
];

const wave = (y: number) => `M36 ${y}c4 -4 8 4 12 0s8 4 12 0`;

export const appliances: Record<string, Drawing> = {
  'fridge-mini': fridge(30, 30, 0),
  'fridge-small': fridge(30, 42, 12),
  'fridge-medium': fridge(34, 50, 15),
  'fridge-standard': fridge(38, 57, 18),
  'fridge-large': [
    body(rect(24, 5, 48, 57, 3)),
    line('M48 5v36M24 41h48M44 16v14M40 46h16M28 62v2M68 62v2'),
    tint(rect(29, 14, 10, 13, 2)),
    strap('M52 16v14'),
  ],
  'freezer-chest-small': chestFreezer(46, 30),
  'freezer-chest-large': chestFreezer(72, 33),
  'freezer-upright': [
    body(rect(30, 7, 36, 55, 3)),
    line('M34 62v2M62 62v2M54 22v16M47 26l14 8M61 26l-14 8'),
    strap('M36 24v14'),
  ],
  washer: [
    ...frontLoader([line(wave(44)), line('M60 17.500h6')]),
    spot('M37 47c4 -4 8 4 11 0s7 4 11 0c-2 14 -20 14 -22 0z'),
  ],
  dryer: [
    ...frontLoader([line('M42 36c-3 4 3 6 0 11M48 34c-3 5 3 8 0 14M54 36c-3 4 3 6 0 11')]),
    spot(circle(63, 17.5, 2.5)),
  ],
  'washer-dryer-stacked': [
    body(rect(29, 3, 38, 30, 3)),
    tint(circle(48, 20, 9)),
    line('M29 9h38M45 16c-2 3 2 5 0 8M51 16c-2 3 2 5 0 8'),
    body(rect(29, 33, 38, 30, 3)),
    tint(circle(48, 50, 9)),
    line('M29 39h38'),
    spot('M40 51c3 -3 5 3 8 0s5 3 8 0c-1 9 -15 9 -16 0z'),
  ],
  range: [
    body(rect(25, 20, 46, 42)),
    body('M25 20v-9h46v9'),
    line('M25 29h46M29 62v2M67 62v2M33 34h30M30 24.500h3M38 24.500h3M55 24.500h3M63 24.500h3'),
    tint(rect(32, 38, 32, 18, 2)),
    spot('M36 20l2 -4h8l2 4z'),
  ],
  dishwasher: [
    body(rect(26, 16, 44, 46, 3)),
    line(`M26 26h44M31 21h4M38 21h4M30 62v2M66 62v2M34 52h28`),
    tint(`${circle(40, 44, 6)}${circle(52, 44, 6)}`),
    line('M60 36v16M57 36h6M36 32h24'),
    strap('M56 21h8'),
  ],
  'air-conditioner-window': [
    line('M12 8v56M84 8v56M12 20h72M12 64h72'),
    body(rect(18, 28, 60, 32, 3)),
    line('M24 36h36M24 42h36M24 48h36M24 54h36'),
    tint(rect(64, 34, 10, 20, 2)),
    strap('M67 40h4'),
  ],
  'air-conditioner-portable': [
    line('M64 24c18 -2 20 -8 20 -18M70 30c18 -4 20 -12 20 -24'),
    body(rect(30, 14, 36, 46, 6)),
    tint(rect(36, 20, 24, 10, 2)),
    line(`M36 24h24M36 27h24M36 42h24M36 48h24M36 54h24${circle(36, 62, 2)}${circle(60, 62, 2)}`),
    strap('M44 36h8'),
  ],
  dehumidifier: [
    body(rect(30, 18, 36, 44, 6)),
    line('M36 26h24M36 31h24M30 62v2M66 62v2'),
    tint('M48 36c6 7 8 10 8 13a8 8 0 0 1 -16 0c0 -3 2 -6 8 -13z'),
    strap('M40 22h10'),
  ],
  'water-cooler': [
    tint('M36 24c-2 -6 -1 -12 2 -14V5h20v5c3 2 4 8 2 14z'),
    body(rect(34, 24, 28, 40, 3)),
    line('M34 46h28M42 32v5h-3M54 32v5h3M38 14h20'),
    strap('M45 52h6'),
  ],
  'vacuum-cleaner': [
    line('M52 8h8M56 8L44 50'),
    body('M52 20h12l-4 26H44z'),
    tint('M26 54h34a4 4 0 0 1 4 4v6H22v-6a4 4 0 0 1 4 -4z'),
    line('M46 46l-2 8M64 26c14 4 10 26 -4 24'),
    strap('M30 59h12'),
  ],
  fan: [
    body(circle(48, 24, 20)),
    tint(
      'M48 24c-4 -14 8 -16 10 -12s-4 10 -10 12zM48 24c14 -4 16 8 12 10s-10 -4 -12 -10zM48 24c4 14 -8 16 -10 12s4 -10 10 -12zM48 24c-14 4 -16 -8 -12 -10s10 4 12 10z',
    ),
    line('M48 44v16M36 64c0 -5 24 -5 24 0z'),
    spot(circle(48, 24, 3.5)),
  ],
};
