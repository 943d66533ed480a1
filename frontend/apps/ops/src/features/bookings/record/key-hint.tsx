import { useSingleKeys } from '../../../shell/keys.ts';
import classes from './record.module.css';

/** The letter that does the same, for people at a keyboard who use single letters. */
export function KeyHint({ letter }: { letter: string }) {
  const [single] = useSingleKeys();
  return single ? (
    <kbd aria-hidden className={classes['key']}>
      {letter}
    </kbd>
  ) : null;
}
