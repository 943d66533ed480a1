import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react';

import classes from './disclosure-panel.module.css';
import { useDismiss } from './use-dismiss.ts';

interface DisclosurePanelProps {
  /** Accessible name of the button and of the panel. */
  label: string;
  /** Short explanation shown on hover and focus, and read out with the button. */
  tooltip: string;
  button: ReactNode;
  buttonClassName?: string;
  buttonProps?: Record<`data-${string}`, string>;
  children: ReactNode;
}

/** A button in the header that opens a panel below it; the panel takes the focus and Escape closes it. */
export function DisclosurePanel({
  label,
  tooltip,
  button,
  buttonClassName,
  buttonProps,
  children,
}: DisclosurePanelProps) {
  const id = useId();
  const [opened, setOpened] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const close = useCallback(() => setOpened(false), []);
  useDismiss(opened, root, close);
  useEffect(() => {
    if (opened) panel.current?.focus();
  }, [opened]);

  return (
    <div ref={root} className={classes['root']}>
      <button
        type="button"
        className={[classes['button'], buttonClassName].filter(Boolean).join(' ')}
        aria-label={label}
        aria-expanded={opened}
        aria-describedby={`${id}-tooltip`}
        onClick={() => setOpened((now) => !now)}
        {...buttonProps}
      >
        {button}
      </button>
      <span id={`${id}-tooltip`} role="tooltip" className={classes['tooltip']} data-off={opened || undefined}>
        {tooltip}
      </span>
      {opened ? (
        <div ref={panel} role="dialog" aria-label={label} tabIndex={-1} className={classes['panel']}>
          {children}
        </div>
      ) : null}
    </div>
  );
}
