import type { PopoverProps } from '@mantine/core';

import classes from './popover.module.css';

/** What everything that opens at a button has in common: it holds the focus, gives it back, and fits the room there is. */
export function popover(className?: string): Partial<PopoverProps> {
  return {
    trapFocus: true,
    returnFocus: true,
    shadow: 'none',
    classNames: { dropdown: [classes['dropdown'], className].filter(Boolean).join(' ') },
    middlewares: {
      flip: true,
      shift: true,
      size: {
        padding: 8,
        // under an open drawer the page does not scroll: what does not fit scrolls in itself
        apply: ({ availableHeight, elements }) => {
          elements.floating.style.maxHeight = `${Math.max(240, availableHeight)}px`;
        },
      },
    },
  };
}
