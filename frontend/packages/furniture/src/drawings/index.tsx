import type { ReactNode } from 'react';

import { appliances } from './appliances.ts';
import { bedroom } from './bedroom.ts';
import { boxes, fallback, own } from './boxes.ts';
import classes from './drawing.module.css';
import { kitchen } from './kitchen.ts';
import { living } from './living.ts';
import { outdoor } from './outdoor.ts';
import type { Drawing } from './strokes.ts';

/** Every item of the catalogue by its id. */
export const drawings: Record<string, Drawing> = {
  ...bedroom,
  ...living,
  ...kitchen,
  ...appliances,
  ...outdoor,
  ...boxes,
  ...own,
};

/** An item as it looks; decorative, so the text beside it must name it. */
export default function FurnitureDrawing({ id }: { id: string }): ReactNode {
  return (
    <svg className={classes['drawing']} viewBox="0 0 96 72" aria-hidden="true" focusable="false">
      {(drawings[id] ?? fallback).map(([manner, path], index) => (
        <path key={index} className={classes[manner]} d={path} />
      ))}
    </svg>
  );
}
