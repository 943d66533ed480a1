import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';

import classes from './button.module.css';

interface DeskButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'> {
  variant?: 'default' | 'primary' | 'quiet' | 'danger';
  /** Drawn before the words. */
  icon?: ReactNode;
  submit?: boolean;
  /** At work: it keeps the focus, which a locked button loses, and takes no press. */
  busy?: boolean;
  ref?: Ref<HTMLButtonElement> | undefined;
}

/** The button of the desk: as high as a table's row, where the customer's is made for a thumb. */
export function DeskButton({
  variant = 'default',
  icon,
  submit = false,
  busy = false,
  className,
  children,
  ...rest
}: DeskButtonProps) {
  return (
    <button
      {...rest}
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
