import { useState } from 'react';

import classes from './confirmation.module.css';

/** Remembers that the line of this booking was drawn, so that a reload shows it finished. */
function firstTime(id: string): boolean {
  const key = `portage.drawn.${id}`;
  try {
    if (sessionStorage.getItem(key) !== null) return false;
    sessionStorage.setItem(key, '1');
    return true;
  } catch {
    return false;
  }
}

/** From one water to the other: once per booking the carry line draws itself. */
export function DrawnLine({ id }: { id: string }) {
  const [draw] = useState(() => firstTime(id));
  return (
    <svg className={classes['line']} data-draw={draw || undefined} viewBox="0 0 320 56" fill="none" aria-hidden="true">
      <path className={classes['track']} d="M10 42 C 90 42 90 14 160 14 S 230 42 304 42" pathLength={1} />
      <circle cx="10" cy="42" r="7" className={classes['from']} />
      <rect x="296" y="34" width="16" height="16" rx="4" className={classes['to']} />
      <path d="M300.5 42.2l3 3 5-5.6" className={classes['check']} pathLength={1} />
    </svg>
  );
}
