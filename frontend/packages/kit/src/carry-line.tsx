import type { ReactNode } from 'react';

import classes from './carry-line.module.css';

export interface Waypoint {
  key: string;
  /** `planned` is still to come and dashed; `here` is the one accent on the line. */
  state: 'done' | 'here' | 'planned';
  title: ReactNode;
  children?: ReactNode;
}

/** The carry line, vertical: the address pair, the timeline of charges, the history of a booking. */
export function CarryLine({ points, label }: { points: Waypoint[]; label?: string }) {
  return (
    <ol className={classes['root']} aria-label={label}>
      {points.map((point, index) => (
        <li
          key={point.key}
          className={classes['point']}
          data-state={point.state}
          data-last={index === points.length - 1 || undefined}
        >
          <span className={classes['dot']} aria-hidden />
          <div className={classes['body']}>
            <div className={classes['title']}>{point.title}</div>
            {point.children ? <div className={classes['text']}>{point.children}</div> : null}
          </div>
        </li>
      ))}
    </ol>
  );
}
