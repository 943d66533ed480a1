import { type ApiProblem, asProblem } from '@portage/api';
import type { SummaryItem } from '@portage/kit';
import { type SyntheticEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Path,
  useForm,
  type UseFormReturn,
} from 'react-hook-form';
import type * as z from 'zod/mini';

import { AlreadySaid } from './already-said.ts';
import { bySchema } from './by-schema.ts';
import { type FieldProblem, problemsOf, useSummary } from './summary.ts';
import { type Kept, useKept } from './use-kept.ts';

/** A reason outside of the fields why the form cannot go on now. */
export interface Obstacle extends SummaryItem {
  /** Tells it from the others. */
  key: string;
}

/** Fields inside of the form that check themselves, as those of a card. */
export interface Within {
  /** Whether they are right; marks what is wrong. Rejects with `AlreadySaid` when they are not there at all. */
  check: () => Promise<boolean>;
  /** What is wrong with them now; they stand before the form's own fields. */
  lines: SummaryItem[];
}

interface Options<V extends FieldValues, Answer> {
  /** Its messages are text keys, translated where they are shown. */
  schema: z.ZodMiniType<V, V>;
  /** Name of each field, for the error summary; a refusal of the server that names one of them is shown beside it. */
  labels: Record<string, string>;
  /** Sends the checked values; rejects with the server's problem. Without it the form is only checked. */
  send?: (values: V) => Promise<Answer>;
  /** The server has taken it. What goes wrong in here is not a refusal. */
  onTaken?: (answer: Answer, form: UseFormReturn<V>) => unknown;
  /** When a field is checked first: on leaving it (the usual), or on submit, for forms that are often passed by. */
  check?: 'onTouched' | 'onSubmit';
  /** What takes the focus after a refusal: the summary, or, where the whole form is in sight, the first wrong field. */
  leadTo?: 'summary' | 'field';
  /** What keeps it from being sent although the fields are right. The summary names it for as long as it holds. */
  obstacles?: Obstacle[];
  /** Checked at every try together with the form's own fields, and named in the same summary. */
  within?: Within;
  /** Something that decides is still being worked out: a press waits for it. */
  settling?: boolean;
  /** Lines of the summary in words of the form's own. */
  summarise?: (errors: FieldErrors<V>) => SummaryItem[];
  /** Fields that a refusal of the server is about; without it those that it names. */
  fieldsOf?: (problem: ApiProblem) => FieldProblem[];
  /** A refusal that belongs to no field, as a line of the summary; without it `FormShell` shows it in the usual way. */
  sayRefusal?: (problem: ApiProblem) => string;
}

export type FormShellOptions<V extends FieldValues, Answer> = Options<V, Answer> &
  ({ defaultValues: NoInfer<V>; kept?: never } | { kept: Kept<NoInfer<V>>; defaultValues?: never });

/** How one try to submit ended; `problem` is the server's refusal that belongs to no field. */
export type Outcome<Answer> = { taken: true; answer: Answer } | { taken: false; problem: ApiProblem | null };

/** What a form and its frame share. */
export interface Shell<V extends FieldValues, Answer = unknown> {
  form: UseFormReturn<V>;
  /** Checks, then sends. */
  submit: (event?: SyntheticEvent) => Promise<Outcome<Answer>>;
  /** Being sent, or waiting to be. */
  busy: boolean;
  /** Counts up at every refusal, so that the summary takes the focus again. */
  attempt: number;
  /** What is wrong since the last try; empty when a field takes the focus instead. */
  summary: SummaryItem[];
  /** The server's refusal that belongs to no field of this form; gone with the next try. */
  problem: ApiProblem | null;
  /** Taken, and not changed since. */
  taken: boolean;
  forgetProblem: () => void;
}

const refusedOutcome = (problem: ApiProblem | null = null): Outcome<never> => ({ taken: false, problem });

/**
 * One way for every form: checked on leaving a field and on submit; on a refusal, ours or the server's, the summary takes
 * the focus and each field says what to do; pressed twice it is sent once.
 */
export function useFormShell<V extends FieldValues, Answer = undefined>(
  options: FormShellOptions<V, Answer>,
): Shell<V, Answer> {
  const { schema, kept, labels, send, onTaken, check = 'onTouched', leadTo = 'summary' } = options;
  const { obstacles = [], within, settling = false, summarise, fieldsOf, sayRefusal } = options;
  const form = useForm<V>({
    resolver: bySchema(schema),
    defaultValues: (kept?.values ?? options.defaultValues) as DefaultValues<V>,
    mode: check,
    shouldFocusError: leadTo === 'field',
  });
  useKept(form, kept);
  const [attempt, setAttempt] = useState(0);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [met, setMet] = useState<string[]>([]);
  const [taken, setTaken] = useState<'no' | 'sent' | 'shown'>('no');
  const [pressed, setPressed] = useState(false);
  // locked from the press on, before the fields within have answered
  const [checking, setChecking] = useState(false);
  const running = useRef(false);
  const { isDirty, isSubmitting, errors } = form.formState;

  const refuse = () => {
    setMet(obstacles.map(({ key }) => key));
    setAttempt((now) => now + 1);
  };
  const shown = (said: ApiProblem): FieldProblem[] => {
    const named = (fieldsOf?.(said) ?? said.fieldErrors).filter(({ field }) => field in labels);
    for (const { field, message } of named) form.setError(field as Path<V>, { type: 'server', message });
    if (leadTo === 'field' && named[0]) form.setFocus(named[0].field as Path<V>);
    return named;
  };

  const run = async (): Promise<Outcome<Answer>> => {
    let outcome: Outcome<Answer> = refusedOutcome();
    setProblem(null);
    setTaken('no');
    setChecking(within !== undefined);
    let rightWithin = true;
    try {
      rightWithin = (await within?.check()) ?? true;
    } catch (error) {
      if (error instanceof AlreadySaid) return outcome;
      throw error;
    }
    const handle = form.handleSubmit(async (values) => {
      if (obstacles.length > 0 || !rightWithin) {
        refuse();
        return;
      }
      try {
        outcome = { taken: true, answer: (await send?.(values)) as Answer };
      } catch (error) {
        if (error instanceof AlreadySaid) {
          if (within) refuse();
          return;
        }
        const said = asProblem(error);
        if (shown(said).length === 0) {
          setProblem(said);
          outcome = refusedOutcome(said);
        }
        refuse();
        return;
      }
      setAttempt(0);
      setTaken('sent');
      await onTaken?.(outcome.answer, form);
    }, refuse);
    await handle();
    return outcome;
  };
  const submit = async (event?: SyntheticEvent): Promise<Outcome<Answer>> => {
    event?.preventDefault();
    if (running.current) return refusedOutcome();
    setPressed(settling);
    if (settling) return refusedOutcome();
    running.current = true;
    try {
      return await run();
    } finally {
      running.current = false;
      setChecking(false);
    }
  };
  const submitNow = useEffectEvent(() => void submit());
  useEffect(() => {
    if (pressed && !settling) submitNow();
  }, [pressed, settling]);

  const fromFields = useSummary(problemsOf(errors), labels);
  const inTheWay = obstacles.filter(({ key }) => met.includes(key));
  const refusal = problem && sayRefusal ? [{ text: sayRefusal(problem) }] : [];
  const lines =
    leadTo === 'summary'
      ? [...(within?.lines ?? []), ...(summarise?.(errors) ?? fromFields), ...inTheWay, ...refusal]
      : [];
  // A summary is of the last try. Once all is mended it is over: what goes wrong later is said at its field, and an
  // obstacle that comes back is none that anybody ran into.
  if (met.length > inTheWay.length) setMet(inTheWay.map(({ key }) => key));
  if (leadTo === 'summary' && attempt > 0 && lines.length === 0 && problem === null && !isSubmitting) setAttempt(0);
  // said until something is changed, and not again when that is taken back
  if (taken === 'sent' && !isDirty) setTaken('shown');
  if (taken === 'shown' && isDirty) setTaken('no');
  return {
    form,
    submit,
    busy: isSubmitting || checking || (pressed && settling),
    attempt,
    summary: attempt > 0 ? lines : [],
    problem: sayRefusal ? null : problem,
    taken: taken !== 'no' && !isDirty,
    forgetProblem: () => setProblem(null),
  };
}
