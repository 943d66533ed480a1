export { FormShell } from './form-shell.tsx';
export { type FormShellOptions, type Shell, useFormShell } from './use-form-shell.ts';
