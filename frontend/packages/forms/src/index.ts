export { AlreadySaid } from './already-said.ts';
export { FormProblems } from './form-problems.tsx';
export { FormShell } from './form-shell.tsx';
export { SubmitButton } from './submit-button.tsx';
export { type FieldProblem } from './summary.ts';
export {
  type FormShellOptions,
  type Obstacle,
  type Outcome,
  type Shell,
  useFormShell,
  type Within,
} from './use-form-shell.ts';
export { type Kept } from './use-kept.ts';
// one copy of the library, for fields that an app draws itself
export {
  type Control,
  type FieldPath,
  type FieldValues,
  type Path,
  type PathValue,
  useController,
  type UseFormReturn,
  useWatch,
} from 'react-hook-form';
