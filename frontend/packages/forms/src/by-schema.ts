import { type FieldErrors, type FieldValues, get, type Resolver, set } from 'react-hook-form';
import type * as z from 'zod/mini';

import { afterPress } from './after-press.ts';

/** Checks a form by a schema, the first problem of each field; once nothing is pressed. */
export function bySchema<V extends FieldValues>(schema: z.ZodMiniType<V, V>): Resolver<V> {
  const check = (values: V) => {
    const checked = schema.safeParse(values);
    if (checked.success) return { values: checked.data, errors: {} };
    const errors: FieldErrors<V> = {};
    for (const { path, code, message } of checked.error.issues) {
      const field = path.join('.');
      if (field !== '' && !get(errors, field)) set(errors, field, { type: code ?? 'custom', message });
    }
    return { values: {}, errors };
  };
  return (values) => afterPress()?.then(() => check(values)) ?? check(values);
}
