import { asProblem } from '@portage/api';
import { type Control, type Path, type Shell, useFormShell, useWatch } from '@portage/forms';
import { queryClient } from '@portage/frame';
import { keepAnswer } from '@portage/frame/keep-answer';
import { useState } from 'react';

import { useUnsaved } from '../../shell/unsaved.ts';
import { type Field, fieldsOf, type Leaf } from './fields.ts';
import { useLabels } from './labels.ts';
import { problemsAt } from './problems.ts';
import { groupQuery, readGroup, saveGroup, settingsKey } from './queries.ts';
import { schemaOf } from './schema.ts';
import type { Group, GroupRecord, Source, Values } from './types.ts';
import { at, bodyOf, type Form, formOf, formOfRecord, isOwn, ownPath, pathsOf, saysSame } from './values.ts';

/** Where a value comes from; `changed` and `follows` hold only once the form is saved. */
export type FieldState = Source | 'changed' | 'follows';

/** What a colleague saved while the form was open, and the two ways on. */
export interface Conflict {
  version: number;
  by: string | null;
  /** Goes on with theirs, and with what was typed on top of it. */
  keep: () => void;
  /** Goes on with theirs alone. */
  drop: () => void;
}

export interface SettingsForm {
  shell: Shell<Form, GroupRecord>;
  control: Control<Form>;
  fields: readonly Field[];
  /** What is in force, as it was read or saved last. */
  base: GroupRecord;
  /** The form of the defaults. */
  defaults: Form;
  /** The form as it stands. */
  now: Form;
  conflict: Conflict | null;
  stateOf: (field: Field) => FieldState;
  /** Lets a field follow its default again, once the form is saved. */
  follow: (field: Field) => void;
  /** Writes what a version saved into the form; nothing is saved by it. */
  fill: (saved: Values) => void;
}

/** The form of a group: only what is set is saved, and over nobody else's change without being asked. */
export function useSettingsForm(group: Group, first: GroupRecord, hubs: readonly string[]): SettingsForm {
  const [base, setBase] = useState(first);
  const [theirs, setTheirs] = useState<GroupRecord | null>(null);
  const fields = fieldsOf(group, base, hubs);
  const labels = useLabels(fields);
  const defaults = formOf(fields, base.defaults, {});
  const was = formOfRecord(fields, base);
  const shell = useFormShell<Form, GroupRecord>({
    schema: schemaOf(fields),
    labels,
    defaultValues: was,
    check: 'onSubmit',
    fieldsOf: ({ fieldErrors }) => problemsAt(fieldErrors, Object.keys(labels)),
    send: async (values) => {
      try {
        return await saveGroup(group, base.version, bodyOf(fields, values, defaults));
      } catch (error) {
        // without theirs the refusal is told as it came
        if (asProblem(error).status === 412) setTheirs(await readGroup(group).catch(() => null));
        throw error;
      }
    },
    onTaken: async (saved, form) => {
      setBase(saved);
      form.reset(formOfRecord(fieldsOf(group, saved, hubs), saved));
      await keepAnswer(queryClient, groupQuery(group), saved);
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: [...settingsKey, group, 'versions'] }),
        queryClient.invalidateQueries({ queryKey: ['desk', 'first-steps'] }),
      ]);
    },
  });
  const { form } = shell;
  const now = useWatch({ control: form.control }) as Form;
  useUnsaved(form.formState.isDirty);

  const write = (path: string, value: unknown) =>
    form.setValue(path as Path<Form>, value as never, { shouldDirty: true });
  const copy = (field: Field, from: Form) => {
    for (const path of pathsOf(field)) write(path, at(from, path));
  };

  const takeOver = (keep: boolean) => {
    if (!theirs) return;
    const mine = structuredClone(form.getValues());
    form.reset(formOfRecord(fieldsOf(group, theirs, hubs), theirs));
    for (const field of keep ? fields : []) {
      const own = ownPath(field.name);
      if (!saysSame(field, mine, was) || at(mine, own) !== at(was, own)) copy(field, mine);
    }
    setBase(theirs);
    setTheirs(null);
    shell.forgetProblem();
  };

  return {
    shell,
    control: form.control,
    fields,
    base,
    defaults,
    now,
    conflict: theirs && {
      version: theirs.version,
      by: theirs.changedBy,
      keep: () => takeOver(true),
      drop: () => takeOver(false),
    },
    stateOf: (field) => {
      const saved = field.name in base.saved;
      if (isOwn(field, now, defaults)) return saved && saysSame(field, now, was) ? 'saved' : 'changed';
      if (saved) return 'follows';
      return base.sources[field.name] === 'environment' ? 'environment' : 'default';
    },
    follow: (field) => {
      form.clearErrors(field.leaves.map(({ path }) => path as Path<Form>));
      copy(field, defaults);
      form.setFocus(firstInput(field).path as Path<Form>);
    },
    fill: (saved) => {
      const wanted = formOf(fields, { ...base.defaults, ...saved }, saved);
      form.clearErrors();
      for (const field of fields) copy(field, wanted);
    },
  };
}

/** Every field has an input. */
function firstInput(field: Field): Leaf {
  const [leaf] = field.leaves;
  if (!leaf) throw new Error(`${field.name} has no input`);
  return leaf;
}
