import { body, circle, columns, type Drawing, feet, handles, line, rect, rows, spot, strap, tint } from './strokes.ts';

/** A couch from the front: arms, a back, and a cushion a seat. */
function couch(seats: number, w: number): Drawing {
  const x = 48 - w / 2;
  const inner = w - 18;
  const seat = inner / seats;
  return [
    body(rect(x + 6, 22, w - 12, 24, 6)),
    line(columns(x + 9, 22, inner, 20, seats)),
    ...Array.from({ length: seats }, (_, one) => tint(rect(x + 9 + seat * one, 41, seat, 9, 3))),
    body(rect(x, 34, 10, 26, 5)),
    body(rect(x + w - 10, 34, 10, 26, 5)),
    body(`M${x + 10} 50h${w - 20}v10h${20 - w}z`),
    line(feet([x + 5, x + w - 5], 60)),
    spot(`M${x + 13} 41l2 -11 9 2 -1 9z`),
  ];
}

function bookcase(w: number, h: number, shelves: number): Drawing {
  const x = 48 - w / 2;
  const y = 64 - h;
  const tall = h / shelves;
  const books = Array.from({ length: shelves - 1 }, (_, shelf) => {
    const base = y + tall * (shelf + 1);
    const from = shelf % 2 === 0 ? x + 4 : x + w - 16;
    return `M${from} ${base}v${-tall * 0.65}h4v${tall * 0.65}M${from + 4} ${base}v${-tall * 0.5}h4v${tall * 0.5}M${from + 8} ${base}v${-tall * 0.7}h4v${tall * 0.7}`;
  });
  return [
    body(rect(x, y, w, h)),
    line(rows(x, y, w, h, shelves)),
    line(books.join('')),
    tint(`M${x + w - 14} ${y + tall}v${-tall * 0.5}h9v${tall * 0.5}z`),
    spot(`M${x + 5} 64v${-tall * 0.5}h10v${tall * 0.5}z`),
  ];
}

function television(w: number): Drawing {
  const x = 48 - w / 2;
  const h = Math.round(w * 0.58);
  return [
    body(rect(x, 58 - h, w, h, 2)),
    tint(rect(x + 3, 61 - h, w - 6, h - 6, 1)),
    line(`M48 58v4M${48 - w / 5} 64h${(2 * w) / 5}M${x + 9} ${58 - h / 3}l${h / 3} ${-h / 3}`),
    strap(`M${x + w - 9} 56.500h3`),
  ];
}

function desk(w: number, drawers: 1 | 2): Drawing {
  const x = 48 - w / 2;
  return [
    tint(rect(x, 30, w, 5, 1)),
    body(rect(x + w - 22, 35, 18, 26)),
    line(`${rows(x + w - 22, 35, 18, 26, 3)}${handles(x + w - 22, 35, 18, 26, 1, 3)}`),
    ...(drawers === 2
      ? [body(rect(x + 4, 35, 18, 26)), line(`${rows(x + 4, 35, 18, 26, 3)}${handles(x + 4, 35, 18, 26, 1, 3)}`)]
      : [line(`M${x + 5} 35v29M${x + 11} 35v4h${w - 38}`)]),
    line(feet([x + w - 20, x + w - 6], 61)),
    spot(`M${x + 12} 30v-4h12v4z`),
  ];
}

function filing(drawers: number, h: number): Drawing {
  const y = 64 - h;
  return [
    body(rect(32, y, 32, h)),
    line(rows(32, y, 32, h, drawers)),
    line(handles(32, y, 32, h, 1, drawers)),
    tint(rect(41, y + 3, 14, 4, 1)),
    strap(`M44 ${y + h / drawers / 2}h8`),
  ];
}

function safe(w: number, h: number): Drawing {
  const x = 48 - w / 2;
  const y = 61 - h;
  return [
    body(rect(x, y, w, h, 4)),
    body(rect(x + 5, y + 5, w - 10, h - 10, 2)),
    tint(circle(48, y + h / 2, Math.min(10, h / 4))),
    line(
      `M48 ${y + h / 2 - 5}v10M43 ${y + h / 2}h10M${x + 8} ${y + 10}v5M${x + 8} ${y + h - 15}v5M${x + 6} 61v3M${x + w - 6} 61v3`,
    ),
    strap(`M${x + w - 9} ${y + h / 2 - 5}v10`),
  ];
}

const rug = (w: number): Drawing => {
  const x = 48 - w / 2;
  return [
    tint(`M${x} 50h${w - 8}a7 7 0 0 1 0 14H${x}a7 7 0 0 1 0 -14z`),
    body(circle(x + w - 7, 57, 6, 7)),
    line(`M${x + w - 7} 57m-2.500 0a2.500 3 0 1 0 5 0M${x - 4} 64h-4M${x + 10} 50v14`),
    strap(`M${x + w / 2 - 8} 50.500v13`),
  ];
};

export const living: Record<string, Drawing> = {
  'couch-1-seat': couch(1, 42),
  'couch-2-seats': couch(2, 58),
  'couch-3-seats': couch(3, 78),
  'couch-4-seats': couch(4, 92),
  'couch-section': [
    body(rect(27, 22, 42, 26, 6)),
    tint(rect(27, 42, 42, 9, 3)),
    body('M27 51h42v9H27z'),
    line('M31 60v4M65 60v4M60 22v20'),
    spot('M33 42l2 -11 9 2 -1 9z'),
  ],
  'couch-sectional-l': [
    body(rect(6, 14, 84, 24, 6)),
    line('M36 14v20M62 14v20'),
    tint(rect(36, 36, 26, 10, 3)),
    tint(rect(62, 36, 24, 10, 3)),
    body('M36 46h50v10H36z'),
    tint(rect(6, 34, 32, 17, 3)),
    body('M6 50h32v11H6z'),
    body(rect(82, 28, 10, 30, 5)),
    line('M10 61v3M34 61v3M87 58v6'),
    spot('M66 36l2 -11 9 2 -1 9z'),
  ],
  'sofa-bed': [
    body(rect(10, 12, 76, 20, 5)),
    line('M36 12v18M60 12v18'),
    tint('M20 34h56l8 20H12z'),
    body('M12 54h72v6H12z'),
    line('M16 60v4M80 60v4M17 44h62'),
    spot(rect(26, 31, 18, 6, 3)),
  ],
  futon: [
    line('M14 20h68M14 20v44M82 20v44M24 20v14M36 20v14M48 20v14M60 20v14M72 20v14M14 58h68'),
    tint('M18 30h60v14a6 6 0 0 1 -6 6H24a6 6 0 0 1 -6 -6z'),
    body(rect(16, 44, 64, 10, 5)),
    strap('M40 49h16'),
  ],
  recliner: [
    body('M24 14c4 -4 10 -2 12 2l10 26H30z'),
    tint('M36 38h26l16 -4 3 8 -18 8H36z'),
    body(rect(30, 44, 34, 14, 4)),
    line('M36 58l-2 6M58 58l2 6M40 34h18a4 4 0 0 1 0 8'),
    spot('M22 14l10 -5 5 7 -10 4z'),
  ],
  'chaise-longue': [
    body('M12 22c6 -6 14 -2 16 6l6 16H18z'),
    tint('M18 42h62a5 5 0 0 1 0 12H22z'),
    line('M26 54v10M76 54v10M34 42c10 -4 26 -4 44 0'),
    spot(rect(24, 31, 12, 10, 4)),
  ],
  'rocking-chair': [
    line('M32 8l6 40M42 8l4 30M32 8h10M34 20h9M36 30h9M38 48h26M62 34v28M40 48l-2 12M46 32h18'),
    tint('M38 42h28l-1 6H38z'),
    line('M20 58c16 8 44 8 58 -2'),
    strap('M34 14h8'),
  ],
  ottoman: [
    tint(rect(22, 38, 52, 12, 6)),
    body(rect(24, 46, 48, 14, 4)),
    line('M30 60v4M66 60v4'),
    spot(circle(48, 42, 2.5)),
  ],
  'coffee-table': [
    tint('M10 44l10 -8h56l10 8z'),
    body(rect(10, 44, 76, 4, 1)),
    line('M16 48v16M80 48v16M22 58h52'),
    spot('M40 41l3 -4h12l-2 4z'),
  ],
  'end-table': [
    tint('M32 34l5 -5h22l5 5z'),
    body(rect(32, 34, 32, 9, 1)),
    line('M35 43v21M61 43v21M35 56h26'),
    strap('M44 38.500h8'),
  ],
  'tv-stand': [
    tint(rect(10, 36, 76, 4, 1)),
    body(rect(12, 40, 72, 20)),
    line('M36 40v20M60 40v20M36 50h24M16 60v4M80 60v4M24 50v.1M72 50v.1'),
    spot(rect(42, 45, 12, 5, 1)),
  ],
  'entertainment-center': [
    body(rect(6, 6, 84, 56)),
    line('M26 6v56M70 6v56M6 24h20M6 42h20M70 24h20M70 42h20M26 48h44M48 48v14M10 62v2M86 62v2'),
    tint(rect(31, 18, 34, 22, 1)),
    line('M48 40v8M11 24v-9h4v9M15 24v-7h4v7'),
    spot('M76 42v-9h8v9z'),
  ],
  'tv-under-50': television(48),
  'tv-50-65': television(66),
  'tv-over-65': television(88),
  'bookcase-small': bookcase(34, 34, 2),
  'bookcase-medium': bookcase(40, 50, 4),
  'bookcase-large': bookcase(54, 60, 5),
  'cube-shelf': [
    body(rect(22, 10, 54, 54)),
    line('M40 10v54M58 10v54M22 28h54M22 46h54M27 28v-10h4v10M31 28v-8h4v8'),
    tint('M60 30h14v14H60zM24 48h14v14H24z'),
    spot('M42 46v-8h12v8z'),
  ],
  'display-cabinet': [
    tint(rect(26, 6, 44, 4, 1)),
    body(rect(28, 10, 40, 48)),
    line('M48 10v48M28 26h40M28 42h40M26 58h44M30 58v6M66 58v6'),
    line(`M34 26v-7h6v7M36 42c-4 -6 8 -6 4 0${circle(58, 21, 4)}M54 42l4 -9 4 9M33 18l4 -4`),
    spot('M54 58l2 -8h6l2 8z'),
  ],
  'desk-small': desk(54, 1),
  'desk-medium': desk(70, 1),
  'desk-large': desk(86, 2),
  'desk-l-shaped': [
    tint('M8 26h80v8H42l-14 16H8z'),
    body('M8 50h20v4H8zM42 34h46v4H40l-12 14v-2z'),
    line('M10 54v10M26 54v10M86 38v20M34 46v10'),
    body(rect(62, 38, 18, 20)),
    line('M62 45h18M62 51h18M68 42h6M68 48h6M68 54h6'),
    spot('M30 26v-10h18v10zM36 26'),
  ],
  'office-chair': [
    body(rect(34, 6, 28, 28, 6)),
    tint(rect(31, 38, 34, 7, 3)),
    line(
      `M48 34v4M26 28v10h5M70 28v10h-5M48 45v10M48 55l-16 6M48 55l16 6M48 55v6${circle(32, 62, 2)}${circle(64, 62, 2)}${circle(48, 62, 2)}`,
    ),
    strap('M42 12h12'),
  ],
  'filing-cabinet-2': filing(2, 32),
  'filing-cabinet-4': filing(4, 56),
  'computer-desktop': [
    body(rect(10, 16, 56, 34, 2)),
    tint(rect(14, 20, 48, 26, 1)),
    line('M38 50v8M26 60h24M10 64h40'),
    body(rect(72, 24, 16, 40, 2)),
    line('M76 30h8M76 35h8'),
    strap('M79 56h2'),
  ],
  printer: [
    tint('M32 30V12h32v18z'),
    body(rect(20, 30, 56, 24, 4)),
    body('M32 46h32v18H32z'),
    line('M38 52h20M38 58h14M64 37h.1'),
    strap('M66 37h4'),
  ],
  'floor-lamp': [line('M48 24v38M36 64c0 -4 24 -4 24 0z'), spot('M40 6h16l8 18H32z')],
  'table-lamp': [
    tint('M42 60c-8 -10 -2 -16 2 -18h8c4 2 10 8 2 18z'),
    line('M48 36v6M36 64h24v-4H36z'),
    spot('M38 14h20l8 22H30z'),
  ],
  'rug-small': rug(48),
  'rug-large': rug(72),
  'picture-framed': [
    body(rect(20, 8, 56, 50, 2)),
    tint(rect(26, 14, 44, 38, 1)),
    line('M26 46l14 -16 10 11 8 -7 12 13'),
    spot(circle(58, 24, 4)),
  ],
  'plant-large': [
    tint(
      'M48 40c-16 -2 -24 -12 -22 -26 14 2 22 10 22 26zM48 32c-4 -14 2 -22 10 -28 6 10 4 20 -10 28zM48 42c2 -12 10 -18 24 -18 -2 12 -10 20 -24 18z',
    ),
    line('M48 20v28'),
    body('M34 46h28l-4 18H38z'),
    strap('M37 52.500h22'),
  ],
  'piano-upright': [
    tint(rect(14, 12, 68, 4, 1)),
    body(rect(16, 16, 64, 46)),
    body('M10 36h76v8H10z'),
    line('M14 44v20M82 44v20M22 36v8M30 36v8M38 36v8M46 36v8M54 36v8M62 36v8M70 36v8M44 62v-6M52 62v-6'),
    spot('M38 34l2 -12h16l2 12z'),
  ],
  'piano-baby-grand': [
    tint('M28 30C40 4 66 0 84 10L70 32z'),
    body('M8 30h70c6 0 10 4 10 9H8z'),
    line('M70 32L58 12M14 39v25M80 39v25M50 39v22M46 61h8M18 34h22M22 30v5M27 30v5M32 30v5M37 30v5'),
    strap('M12 36h26'),
  ],
  'grandfather-clock': [
    tint('M36 8c6 -6 18 -6 24 0v4H36z'),
    body('M35 12h26v18H35zM38 30h20v22H38zM34 52h28v12H34z'),
    line(`${circle(48, 21, 6.5)}M48 17v4l3 2M48 30v14`),
    spot(circle(48, 46, 3)),
  ],
  'aquarium-large': [
    body(rect(12, 42, 72, 22)),
    line('M48 42v22M44 52v5M52 52v5'),
    body(rect(12, 10, 72, 32, 2)),
    tint('M12 18c6 -3 10 3 16 0s10 3 16 0 10 3 16 0 10 3 16 0l8 0v24H12z'),
    line('M22 40c-4 -6 4 -8 0 -14M74 40c4 -5 -3 -7 0 -12'),
    spot('M40 30c6 -6 14 -4 16 0 -2 4 -10 6 -16 0zM40 30l-5 -4v8z'),
  ],
  'safe-small': safe(38, 34),
  'safe-large': safe(48, 54),
};
