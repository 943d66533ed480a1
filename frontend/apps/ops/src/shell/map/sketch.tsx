import { formatNumber, useLanguage } from '@portage/i18n';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { barOf, type Frame, frameOf, type Point, type Spot } from './geometry.ts';
import classes from './sketch.module.css';

interface SketchProps {
  /** What it shows, in a sentence. */
  label: string;
  /** All of it is in sight. */
  places: readonly Point[];
  /** Height of the width, and the least and the most of it, in pixels. */
  shape?: { ratio: number; least: number; most: number };
  children: (frame: Frame) => ReactNode;
}

const ofDay = { ratio: 0.7, least: 300, most: 560 };

/** Drawn in pixels of the screen: marks and numbers are as large on a telephone as on a wide screen. */
function useSize({ ratio, least, most }: typeof ofDay) {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(640);
  useEffect(() => {
    const box = ref.current;
    if (!box) return undefined;
    const look = new ResizeObserver(() => setWidth(Math.max(240, Math.round(box.clientWidth))));
    look.observe(box);
    return () => look.disconnect();
  }, []);
  return { ref, width, height: Math.min(most, Math.max(least, Math.round(width * ratio))) };
}

/** Places and ways, north up, with a bar of kilometres. It needs no map of streets from anywhere. */
export function Sketch({ label, places, shape = ofDay, children }: SketchProps) {
  const { t } = useTranslation('sketch');
  const language = useLanguage();
  const { ref, width, height } = useSize(shape);
  const frame = frameOf(places, { width, height });
  const bar = barOf(frame.scale, Math.min(160, width / 3));
  return (
    <div ref={ref} className={classes['drawing']}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        {children(frame)}
        <g className={classes['bar']} transform={`translate(12 ${height - 14})`}>
          <path d={`M0 -4V0H${bar.width}V-4`} />
          <text x={bar.width + 6} y={1}>
            {t('scale', { km: formatNumber(bar.km, language) })}
          </text>
        </g>
      </svg>
    </div>
  );
}

/** Where a job begins is round, where it goes is square, as everywhere in Portage. */
export function Ends({ from, to }: { from: Spot; to: Spot }) {
  return (
    <g className={classes['ends']}>
      <rect x={to.x - 4} y={to.y - 4} width={8} height={8} rx={1.5} />
      <circle cx={from.x} cy={from.y} r={4.5} />
    </g>
  );
}
