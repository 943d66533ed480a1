import { zodResolver } from '@hookform/resolvers/zod';
import { type ApiProblem, asProblem } from '@portage/api';
import { type SummaryItem, useSummary } from '@portage/kit';
import { type SubmitEvent, useState } from 'react';
import { type DefaultValues, type FieldValues, type Path, useForm, type UseFormReturn } from 'react-hook-form';
import type * as z from 'zod/mini';

export interface FormShellOptions<V extends FieldValues, Answer> {
  /** Its messages are text keys, translated where they are shown. */
  schema: z.ZodMiniType<V, V>;
  defaultValues: V;
  /** Name of each field, for the error summary; a refusal of the server that names one of them is shown beside it. */
  labels: Record<string, string>;
  /** Sends the checked values; rejects with the server's problem. */
  send: (values: V) => Promise<Answer>;
  /** The server has taken it. What goes wrong in here is not a refusal. */
  onTaken?: (answer: Answer, form: UseFormReturn<V>) => unknown;
}

/** What a form and its frame share. */
export interface Shell<V extends FieldValues> {
  form: UseFormReturn<V>;
  submit: (event?: SubmitEvent<HTMLFormElement>) => Promise<void>;
  /** Counts up at every refusal, so that the summary takes the focus again. */
  attempt: number;
  summary: SummaryItem[];
  /** The server's refusal that belongs to no field of this form; gone with the next try. */
  problem: ApiProblem | null;
  /** Taken, and not changed since. */
  taken: boolean;
  forgetProblem: () => void;
}

/**
 * One way for every form: checked on leaving a field and on submit; on a refusal, ours or the server's, the summary takes
 * the focus and each field says what to do; pressed twice it is sent once.
 */
export function useFormShell<V extends FieldValues, Answer>(options: FormShellOptions<V, Answer>): Shell<V> {
  const { schema, defaultValues, labels, send, onTaken } = options;
  const form = useForm<V>({
    resolver: zodResolver(schema),
    defaultValues: defaultValues as DefaultValues<V>,
    mode: 'onTouched',
  });
  const [attempt, setAttempt] = useState(0);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [taken, setTaken] = useState(false);
  const { isDirty, isSubmitting, errors } = form.formState;
  const summary = useSummary(errors, labels);
  const refuse = () => setAttempt((now) => now + 1);

  const handle = form.handleSubmit(async (values) => {
    setProblem(null);
    setTaken(false);
    let answer: Answer;
    try {
      answer = await send(values);
    } catch (error) {
      const said = asProblem(error);
      const named = said.fieldErrors.filter(({ field }) => field in labels);
      for (const { field, message } of named) form.setError(field as Path<V>, { type: 'server', message });
      if (named.length === 0) setProblem(said);
      refuse();
      return;
    }
    setAttempt(0);
    setTaken(true);
    await onTaken?.(answer, form);
  }, refuse);

  return {
    form,
    submit: async (event) => {
      event?.preventDefault();
      if (!isSubmitting) await handle(event);
    },
    attempt,
    summary,
    problem,
    taken: taken && !isDirty,
    forgetProblem: () => setProblem(null),
  };
}
