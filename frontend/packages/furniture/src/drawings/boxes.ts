import { body, circle, type Drawing, line, rect, spot, standing, strap, tint } from './strokes.ts';

/** A carton with its tape, `w` wide, `h` high and `d` deep. */
function carton(w: number, h: number, d: number, ...mark: Drawing): Drawing {
  const x = 48 - (w + d) / 2;
  const y = 64 - h;
  return [
    tint(`M${x} ${y}l${d} ${-d * 0.6}h${w}l${-d} ${d * 0.6}z`),
    body(`M${x} ${y}h${w}v${h}h${-w}z`),
    tint(`M${x + w} ${y}l${d} ${-d * 0.6}v${h}l${-d} ${d * 0.6}z`),
    spot(`M${x + w * 0.4} ${y}l${d} ${-d * 0.6}h${w * 0.2}l${-d} ${d * 0.6}v${Math.min(8, h / 4)}h${-w * 0.2}z`),
    ...mark,
  ];
}

function tote(w: number, h: number): Drawing {
  const x = 48 - w / 2;
  const y = 64 - h;
  return [
    body(`M${x + 2} ${y}h${w - 4}l-4 ${h}H${x + 6}z`),
    tint(rect(x, y - 6, w, 7, 2)),
    line(`M${x + 10} ${y + 5}l2 ${h - 9}M${x + w - 10} ${y + 5}l-2 ${h - 9}`),
    strap(`M${48 - 6} ${y + 8}h12`),
  ];
}

function suitcase(w: number, h: number): Drawing {
  const x = 48 - w / 2;
  const y = 60 - h;
  return [
    line(`M${x + w / 2 - 7} ${y}v-12h14v12`),
    body(rect(x, y, w, h, 5)),
    line(`M${x + w * 0.25} ${y + 4}v${h - 8}M${x + w * 0.75} ${y + 4}v${h - 8}`),
    tint(circle(x + 6, 62, 2)),
    tint(circle(x + w - 6, 62, 2)),
    strap(`M44 ${y + h / 2}h8`),
  ];
}

export const boxes: Record<string, Drawing> = {
  'box-small-1-5': carton(26, 22, 12),
  'box-medium-3-1': carton(34, 28, 15),
  'box-large-4-5': carton(40, 35, 17),
  'box-extra-large-6': carton(48, 40, 20),
  'box-wardrobe': carton(34, 50, 12, line('M31 34h22M42 34v-3a3 3 0 1 1 3 -3M42 34l-10 8h20z')),
  'box-dish-pack': carton(
    40,
    38,
    14,
    line('M30 40h12c0 8 -3 10 -6 10s-6 -2 -6 -10zM36 50v8M32 58h8M47 42v16M44 42v5a3 3 0 0 0 6 0v-5'),
  ),
  'box-picture-mirror': carton(58, 42, 5, body(rect(30, 34, 30, 20, 1)), line('M30 50l9 -9 8 7 5 -4 8 6')),
  'box-lamp': carton(24, 50, 9, line('M34 36h12l3 10H31zM40 46v12M35 58h10')),
  'box-tv': carton(68, 44, 6, body(rect(26, 32, 38, 20, 2)), line('M45 52v5M38 57h14')),
  'box-file': [
    body('M24 34h44v30H24z'),
    tint(rect(21, 24, 50, 11, 2)),
    line('M30 56h12'),
    spot(rect(38, 40, 16, 6, 3)),
  ],
  'bin-plastic-small': tote(40, 24),
  'bin-plastic-large': tote(62, 36),
  'bag-soft': [
    line('M36 32c0 -18 24 -18 24 0'),
    tint('M14 42c0 -8 8 -10 14 -10h40c6 0 14 2 14 10v12c0 6 -4 10 -10 10H24c-6 0 -10 -4 -10 -10z'),
    line('M26 38h44M26 38v4M70 38v4'),
    strap('M40 50h16'),
  ],
  'suitcase-small': suitcase(32, 36),
  'suitcase-large': suitcase(44, 46),
  trunk: [
    body(rect(14, 34, 68, 28, 2)),
    tint(rect(14, 24, 68, 12, 4)),
    line('M26 24v38M70 24v38M20 62v2M76 62v2'),
    spot(rect(43, 33, 10, 8, 1)),
  ],
};

/** Something under a moving blanket, tied. */
function covered(w: number, h: number): Drawing {
  const x = 48 - w / 2;
  const y = 64 - h;
  return [
    tint(
      `M${x} 64c2 ${-h * 0.5} 0 ${-h * 0.8} ${w * 0.2} ${-h * 0.9}c${w * 0.15} ${-h * 0.2} ${w * 0.3} ${h * 0.08} ${w * 0.45} ${-h * 0.02}c${w * 0.2} 0 ${w * 0.33} ${h * 0.3} ${w * 0.35} ${h * 0.92}z`,
    ),
    line(
      `M${x + w * 0.3} 64c2 ${-h * 0.2} 0 ${-h * 0.3} 2 ${-h * 0.4}M${x + w * 0.72} 64c-2 ${-h * 0.2} 2 ${-h * 0.3} 0 ${-h * 0.45}`,
    ),
    strap(`M${x + 3} ${y + h * 0.55}c${w * 0.3} ${h * 0.08} ${w * 0.6} ${h * 0.08} ${w - 5} 0`),
  ];
}

export const own: Record<string, Drawing> = {
  'own-small': covered(34, 24),
  'own-medium': covered(50, 38),
  'own-large': covered(70, 52),
};

export const fallback: Drawing = [body(standing(40, 36)), strap('M40 40h16')];
