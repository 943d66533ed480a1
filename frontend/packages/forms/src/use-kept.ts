import { useEffectEvent, useEffect, useLayoutEffect } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';

import { problemsOf } from './summary.ts';

/** Values of a form that something else keeps too, so that nothing typed is lost: the draft of the booking, a form around it. */
export interface Kept<V extends FieldValues> {
  values: V;
  /** Called at every change of the form. */
  keep: (values: V) => void;
}

/** Keeps both the same: a change of the form is kept at once, and another change of what is kept reaches the form. */
export function useKept<V extends FieldValues>(form: UseFormReturn<V>, kept: Kept<V> | undefined): void {
  const { watch, reset, getValues, trigger, formState } = form;
  const { errors } = formState;
  // what was wrong may be mended by a change of another field
  const checkAgain = () => {
    const wrong = problemsOf(errors).map(({ field }) => field as Path<V>);
    if (wrong.length > 0) void trigger(wrong);
  };
  const keep = useEffectEvent((values: V) => {
    if (!kept || JSON.stringify(values) === JSON.stringify(kept.values)) return;
    kept.keep(values);
    checkAgain();
  });
  useEffect(() => {
    const watching = watch((values) => keep(values as V));
    return () => watching.unsubscribe();
  }, [watch]);

  const take = useEffectEvent(() => {
    if (!kept || JSON.stringify(kept.values) === JSON.stringify(getValues())) return;
    reset(kept.values, { keepErrors: true, keepTouched: true, keepIsSubmitted: true });
    checkAgain();
  });
  const stored = kept && JSON.stringify(kept.values);
  // before anything else can be typed
  useLayoutEffect(() => {
    take();
  }, [stored]);
}
