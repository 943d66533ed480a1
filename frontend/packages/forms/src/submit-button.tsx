import { Button, type ButtonProps } from '@mantine/core';
import type { FieldValues } from 'react-hook-form';

import type { Shell } from './use-form-shell.ts';

interface SubmitButtonProps<V extends FieldValues> extends ButtonProps {
  shell: Shell<V>;
  /** Id of the form, for a button outside of it. */
  form?: string;
  /** For fields without a form element of their own, as inside of another form. */
  formless?: boolean;
}

/** The one button of a form. */
export function SubmitButton<V extends FieldValues>({ shell, formless = false, ...props }: SubmitButtonProps<V>) {
  const busy = props.loading ?? shell.busy;
  return formless ? (
    <Button {...props} loading={busy} onClick={() => void shell.submit()} />
  ) : (
    <Button {...props} loading={busy} type="submit" />
  );
}
