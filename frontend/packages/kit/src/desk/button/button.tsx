import { useMergedRef } from '@mantine/hooks';
import { type ButtonHTMLAttributes, type ReactNode, type Ref, useLayoutEffect, useRef } from 'react';

import { leadBeside } from '../../lead-to-what-comes.ts';

import classes from './button.module.css';

interface DeskButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'> {
  variant?: 'default' | 'primary' | 'quiet' | 'danger';
  /** Drawn before the words. */
  icon?: ReactNode;
  submit?: boolean;
  /** At work: it keeps the focus, which a locked button loses, and takes no press. */
  busy?: boolean;
  /** What comes in its place takes the focus itself, also when it comes late: nothing beside it does. */
  replaced?: boolean;
  ref?: Ref<HTMLButtonElement> | undefined;
}

/** A button that goes with what it has done, as one of a row that is settled, gives the focus to the next control. */
function useFocusPassedOn(replaced: boolean): Ref<HTMLButtonElement> {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const own = button.current;
    // it is still in the page while this runs
    return () => {
      if (own && !replaced && document.activeElement === own) leadBeside(own);
    };
  }, [replaced]);
  return button;
}

/** The button of the desk: as high as a table's row, where the customer's is made for a thumb. */
export function DeskButton({
  variant = 'default',
  icon,
  submit = false,
  busy = false,
  replaced = false,
  className,
  children,
  ref,
  ...rest
}: DeskButtonProps) {
  const own = useMergedRef(useFocusPassedOn(replaced), ref ?? null);
  return (
    <button
      {...rest}
      ref={own}
      {...(busy ? { 'aria-disabled': true, onClick: (event) => event.preventDefault() } : {})}
      type={submit ? 'submit' : 'button'}
      data-variant={variant}
      className={[classes['button'], className].filter(Boolean).join(' ')}
    >
      {icon ? <span className={classes['icon']}>{icon}</span> : null}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type' | 'aria-label'> {
  /** What a press does; also shown when the pointer rests on it. */
  label: string;
  children: ReactNode;
  ref?: Ref<HTMLButtonElement> | undefined;
}

/** A square button with a sign only; its name is never left out. */
export function IconButton({ label, children, className, ...rest }: IconButtonProps) {
  return (
    <button
      title={label}
      {...rest}
      type="button"
      aria-label={label}
      className={[classes['square'], className].filter(Boolean).join(' ')}
    >
      {children}
    </button>
  );
}
