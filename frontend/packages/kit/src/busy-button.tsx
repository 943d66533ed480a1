import { Button, type ButtonProps } from '@mantine/core';
import type { ButtonHTMLAttributes, ReactNode } from 'react';

interface BusyButtonProps extends ButtonProps {
  type?: 'button' | 'submit';
  onClick?: () => void;
  children?: ReactNode;
  'aria-describedby'?: string;
  'data-testid'?: string;
}

/** The root element of the button while it is at work. It is not `disabled`: a browser takes the focus from what is. */
function atWork({ type, ...root }: ButtonHTMLAttributes<HTMLButtonElement>) {
  const props = {
    ...root,
    disabled: false,
    'aria-disabled': true,
    onClick: (event: { preventDefault: () => void }) => event.preventDefault(),
  };
  return type === 'submit' ? <button {...props} type="submit" /> : <button {...props} type="button" />;
}

/** A button that keeps the focus and its name while it is `loading`, and takes no press meanwhile. */
export function BusyButton({ loading = false, ...props }: BusyButtonProps) {
  return <Button {...props} loading={loading} {...(loading ? { disabled: false, renderRoot: atWork } : {})} />;
}
