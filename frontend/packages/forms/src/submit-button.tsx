import { Button, type ButtonProps } from '@mantine/core';
import { type MouseEvent, useEffect, useRef } from 'react';
import type { FieldValues } from 'react-hook-form';

import type { Shell } from './use-form-shell.ts';

interface SubmitButtonProps<V extends FieldValues> extends ButtonProps {
  shell: Shell<V>;
  /** Id of the form, for a button outside of it. */
  form?: string;
  /** For fields without a form element of their own, as inside of another form. */
  formless?: boolean;
}

/** The one button of a form. It is switched off while it is busy, and has the focus again after, unless something else has it. */
export function SubmitButton<V extends FieldValues>({ shell, formless = false, ...props }: SubmitButtonProps<V>) {
  const busy = props.loading ?? shell.busy;
  const button = useRef<HTMLButtonElement>(null);
  const had = useRef(false);
  /** Enter in a field presses it as well, and leaves the focus where it is. */
  const note = (event: MouseEvent<HTMLButtonElement>) => {
    had.current = document.activeElement === event.currentTarget;
  };
  useEffect(() => {
    if (busy || !had.current) return;
    had.current = false;
    if (document.activeElement === document.body) button.current?.focus({ preventScroll: true });
  }, [busy]);
  return formless ? (
    <Button
      {...props}
      ref={button}
      loading={busy}
      onClick={(event) => {
        note(event);
        void shell.submit();
      }}
    />
  ) : (
    <Button {...props} ref={button} loading={busy} type="submit" onClick={note} />
  );
}
