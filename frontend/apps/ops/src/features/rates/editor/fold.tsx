import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';

import { isWithin } from '../card/paths.ts';
import classes from '../rates.module.css';
import { useCard } from './context.ts';

interface FoldProps {
  title: string;
  /** Places of the card that are changed in here: it opens when something is wrong with one of them. */
  paths: readonly string[];
  level?: 2 | 3;
  startsOpen?: boolean;
  children: () => ReactNode;
}

/** A part of the card that opens under its name. What is closed is not drawn: a card has hundreds of fields. */
export function Fold({ title, paths, level = 2, startsOpen = false, children }: FoldProps) {
  const id = useId();
  const { errors } = useCard();
  const [open, setOpen] = useState(startsOpen);
  const wrong = Object.keys(errors).some((place) => paths.some((path) => isWithin(place, path)));
  // and stays open when it is mended: somebody works in it
  if (wrong && !open) setOpen(true);
  const [Heading, Part] = level === 2 ? (['h2', 'section'] as const) : (['h3', 'div'] as const);
  return (
    // each province has parts of the same names: those are no landmarks, which must differ
    <Part
      {...(level === 2 ? {} : { role: 'group' })}
      aria-labelledby={id}
      className={classes['fold']}
      data-level={level}
    >
      <Heading className={classes['foldName']}>
        <button
          type="button"
          id={id}
          aria-expanded={open}
          className={classes['foldButton']}
          onClick={() => setOpen((now) => !now)}
        >
          <IconChevronDown size={18} stroke={1.75} aria-hidden />
          <span>{title}</span>
        </button>
      </Heading>
      {open ? <div className={classes['foldBody']}>{children()}</div> : null}
    </Part>
  );
}
