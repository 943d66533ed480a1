import { Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

type AnchorProps = ButtonProps &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps> & { ref?: Ref<HTMLAnchorElement> };

function AnchorButton({ ref, ...props }: AnchorProps) {
  return <Button component="a" ref={ref ?? null} {...props} />;
}

/** A link that looks like a button, with the router's checks of path, parameters and search. */
export const LinkButton = createLink(AnchorButton);
