import { ErrorSummary } from '@portage/kit';
import type { FieldValues } from 'react-hook-form';

import type { Shell } from './use-form-shell.ts';

/** What was wrong at the last try. `FormShell` has it; a page that begins above its form puts it under its heading. */
export function FormProblems<V extends FieldValues>({ shell: { summary, attempt } }: { shell: Shell<V> }) {
  return summary.length > 0 ? <ErrorSummary items={summary} attempt={attempt} /> : null;
}
