import { body, circle, columns, type Drawing, feet, handles, line, rect, rows, spot, strap, tint } from './strokes.ts';

/** A slab lying on the ground, seen a little from above. */
function slab(w: number, thick: number): { top: string; front: string; x: number; y: number } {
  const x = 48 - (w + 14) / 2;
  const y = 64 - thick;
  return {
    top: `M${x} ${y}l14 -16h${w}l-14 16z`,
    front: `M${x} ${y}h${w}v${thick}h${-w}zM${x + w} ${y}l14 -16v${thick}l-14 16z`,
    x,
    y,
  };
}

function mattress(w: number): Drawing {
  const { top, front, x, y } = slab(w, 13);
  return [
    tint(top),
    body(front),
    line(`M${x + 4} ${y + 6.5}h${w - 8}`),
    line(`M${x + 14 + w / 4} ${y - 8}h3M${x + w / 2 + 7} ${y - 8}h3M${x + (3 * w) / 4} ${y - 8}h3`),
    strap(`M${x + w - 10} ${y + 1.5}v10`),
  ];
}

function boxSpring(w: number): Drawing {
  const { top, front, x, y } = slab(w, 16);
  return [
    body(top),
    tint(front),
    line(columns(x, y + 3, w, 10, Math.round(w / 7))),
    line(`M${x + 14} ${y - 16}l-14 16`),
    strap(`M${x + 6} ${y + 8}h9`),
  ];
}

function bedFrame(w: number): Drawing {
  const left = 48 - w / 2;
  const slats = [40, 44, 48].map((y) => `M${left + 4 - (y - 38) / 4} ${y}h${w - 8 + (y - 38) / 2}`);
  return [
    tint(rect(left + 5, 12, w - 10, 26, 5)),
    line(`M${left + 11} 20h${w - 22}`),
    body(`M${left + 5} 36h${w - 10}l5 16H${left}z`),
    line(slats.join('')),
    body(rect(left - 2, 50, w + 4, 9, 2)),
    line(feet([left + 2, left + w - 2], 59)),
    strap(`M${left + 5} 54.500h9`),
  ];
}

function dresser(across: number, down: number, w: number, h: number): Drawing {
  const x = 48 - w / 2;
  const y = 60 - h;
  return [
    body(rect(x, y, w, h)),
    line(rows(x, y, w, h, down)),
    line(columns(x, y, w, h, across)),
    line(handles(x, y, w, h, across, down)),
    line(feet([x + 4, x + w - 4], 60)),
    strap(`M${x + w / across / 2 - 4} ${y + h / down / 2}h8`),
  ];
}

function wardrobe(doors: number, w: number, h: number): Drawing {
  const x = 48 - w / 2;
  const y = 61 - h;
  return [
    body(rect(x, y, w, h)),
    tint(rect(x, y, w, 5, 2)),
    line(columns(x, y + 5, w, h - 5, doors)),
    line(feet([x + 4, x + w - 4], 61)),
    line(
      doors === 3
        ? `M${x + w / 3 - 3} ${y + h / 2 - 4}v8M${x + (2 * w) / 3 + 3} ${y + h / 2 - 4}v8`
        : `M45 ${y + h / 2 - 4}v8`,
    ),
    strap(doors === 3 ? `M${x + w / 3 + 3} ${y + h / 2 - 4}v8` : `M51 ${y + h / 2 - 4}v8`),
  ];
}

export const bedroom: Record<string, Drawing> = {
  'mattress-single': mattress(44),
  'mattress-double': mattress(54),
  'mattress-queen': mattress(64),
  'mattress-king': mattress(76),
  'box-spring-single': boxSpring(44),
  'box-spring-double': boxSpring(54),
  'box-spring-queen': boxSpring(64),
  'box-spring-king': boxSpring(76),
  'bed-frame-single': bedFrame(44),
  'bed-frame-double': bedFrame(56),
  'bed-frame-queen': bedFrame(66),
  'bed-frame-king': bedFrame(82),
  'bunk-bed': [
    tint('M14 22h68v8H14zM14 48h68v8H14z'),
    line('M14 10v54M82 10v54'),
    spot('M18 16h14a2 2 0 0 1 2 2v4H18z'),
    body('M18 42h14a2 2 0 0 1 2 2v4H18z'),
    line('M62 14v50M72 14v50M62 36h10M62 42h10M62 22h10M62 60h10'),
  ],
  daybed: [
    line('M12 24v40M84 24v40'),
    line('M12 28h72M12 34h72M24 28v16M36 28v16M48 28v16M60 28v16M72 28v16'),
    tint(rect(12, 44, 72, 10, 3)),
    spot(rect(16, 35, 16, 9, 3)),
    line('M12 56h72'),
  ],
  crib: [
    body('M20 22h56v36H20z'),
    line('M20 16v48M76 16v48M28 22v30M36 22v30M44 22v30M52 22v30M60 22v30M68 22v30'),
    tint(rect(20, 50, 56, 8, 2)),
    spot(rect(24, 44, 13, 6, 3)),
  ],
  'changing-table': [
    tint(rect(24, 24, 48, 7, 3.5)),
    body(rect(26, 31, 44, 30)),
    line('M26 43h44M26 52h44M45 37h6M45 57h6'),
    line('M28 61v3M68 61v3'),
    spot(rect(30, 45, 12, 7, 1)),
  ],
  nightstand: dresser(1, 2, 32, 30),
  'dresser-single': dresser(1, 4, 40, 42),
  'dresser-double': dresser(2, 3, 60, 38),
  'dresser-triple': dresser(3, 3, 80, 36),
  'chest-of-drawers': dresser(1, 5, 36, 54),
  'vanity-table': [
    tint(circle(48, 20, 13, 15)),
    body('M18 38h60v9H18z'),
    line('M22 47v17M74 47v17M38 38v9M58 38v9M43 15l7 -6'),
    spot(rect(40, 52, 16, 4, 2)),
    line('M43 56l-2 8M53 56l2 8'),
  ],
  'wardrobe-small': wardrobe(2, 34, 50),
  'wardrobe-medium': wardrobe(2, 46, 55),
  'wardrobe-large': wardrobe(3, 66, 56),
  'cedar-chest': [
    body(rect(14, 38, 68, 24, 2)),
    tint(rect(12, 30, 72, 9, 3)),
    line('M20 62v2M76 62v2M30 39v23M66 39v23'),
    spot(rect(44, 36, 8, 9, 1)),
  ],
  'full-length-mirror': [
    line('M36 60l-8 4M60 60l8 4'),
    body(rect(34, 6, 28, 56, 12)),
    tint(rect(38, 10, 20, 48, 9)),
    line('M43 30l9 -11M43 40l5 -6'),
    strap('M43 56h10'),
  ],
  'bathroom-cabinet': [
    tint(rect(30, 6, 36, 20)),
    line('M48 6v20M40 12l-5 7'),
    body(rect(24, 36, 48, 26)),
    line('M48 40v22M28 62v2M68 62v2M44 48v5M20 36h56'),
    spot('M45 36v-5h7'),
  ],
  'bathroom-shelf': [
    line('M32 8v56M64 8v56M32 16h32M32 32h32M32 48h32'),
    body(rect(38, 22, 7, 10, 2)),
    tint(rect(49, 25, 9, 7, 2)),
    spot('M38 48h20v9H38z'),
  ],
  'laundry-hamper': [
    body('M32 26h32l-4 38H36z'),
    tint(rect(29, 19, 38, 7, 3)),
    line('M34 36h28M35 46h26M36 56h24'),
    spot('M42 19c0 -8 12 -8 12 0z'),
  ],
  'ironing-board': [
    line('M34 38l26 26M60 38l-26 26'),
    tint('M10 34h62c8 0 14 2 16 4H10z'),
    body('M30 34c0 -10 6 -14 14 -14h8l6 14z'),
    spot('M44 20h12l-1 -5h-9z'),
  ],
};
