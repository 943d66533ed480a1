import { asProblem, newIdempotencyKey } from '@portage/api';
import {
  type FieldValues,
  type FormShellOptions,
  type Path,
  type PathValue,
  type Shell,
  useFormShell,
} from '@portage/forms';
import { queryClient } from '@portage/frame';
import { showToast } from '@portage/kit/desk/toasts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useUnsaved } from '../unsaved.ts';
import type { RecordState } from './state-word.tsx';
import type { Catalogue } from './use-catalogue.ts';

/** What every record of a catalogue has. */
export interface CatalogueRecord {
  id: string;
  version: number;
  state: RecordState;
}

interface RecordFormOptions<V extends FieldValues, R extends CatalogueRecord> extends Pick<
  FormShellOptions<V, R>,
  'schema' | 'labels'
> {
  list: Catalogue;
  /** What is changed; nothing while a record is added. */
  record: R | null;
  toForm: (record: R | null) => NoInfer<V>;
  add: (values: V, key: string) => Promise<R>;
  change: (values: V, record: R) => Promise<R>;
  /** The record as it is now, when somebody else was first. */
  read: (id: string) => Promise<R>;
  /** Of everything that shows such records. */
  queryKey: readonly string[];
  /** A refusal that is about a field although the server names none. */
  fieldsOf?: FormShellOptions<V, R>['fieldsOf'];
}

/** What a colleague saved while the form was open, and the two ways on. */
export interface RecordConflict {
  /** Names of the fields that they changed. */
  changed: string[];
  /** Goes on with theirs, and with what was typed on top of it. */
  keep: () => void;
  /** Goes on with theirs alone. */
  drop: () => void;
}

export interface RecordForm<V extends FieldValues, R> {
  shell: Shell<V, R>;
  conflict: RecordConflict | null;
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** A key for what is sent: the same when it is sent again after a lost answer, another once it says something else. */
function useKeyFor(): (values: unknown) => string {
  const last = useRef<{ text: string; key: string } | null>(null);
  return (values) => {
    const text = JSON.stringify(values);
    if (last.current?.text !== text) last.current = { text, key: newIdempotencyKey() };
    return last.current.key;
  };
}

/** The form of a record, new or changed: saved once, and over nobody else's change without being asked. */
export function useRecordForm<V extends FieldValues, R extends CatalogueRecord>(
  options: RecordFormOptions<V, R>,
): RecordForm<V, R> {
  const { list, schema, labels, toForm, add, change, read, queryKey, fieldsOf } = options;
  const { t } = useTranslation('catalogue');
  const [base, setBase] = useState(options.record);
  const [theirs, setTheirs] = useState<R | null>(null);
  const [saved, setSaved] = useState<R | null>(null);
  const keyFor = useKeyFor();
  const shell = useFormShell<V, R>({
    schema,
    labels,
    defaultValues: toForm(base),
    check: 'onSubmit',
    ...(fieldsOf ? { fieldsOf } : {}),
    send: async (values) => {
      try {
        return await (base ? change(values, base) : add(values, keyFor(values)));
      } catch (error) {
        // without theirs the refusal is told as it came
        if (base && asProblem(error).status === 412) setTheirs(await read(base.id).catch(() => null));
        throw error;
      }
    },
    onTaken: async (answer) => {
      showToast({ text: base ? t('value.edited') : t('value.added') });
      setSaved(answer);
      await queryClient.invalidateQueries({ queryKey });
    },
  });
  const { form } = shell;
  useUnsaved(form.formState.isDirty && saved === null);
  const leave = useEffectEvent((id: string) => list.setOpen(id, true));
  useEffect(() => {
    // after the guard has heard that nothing is unsaved any more
    if (saved) leave(saved.id);
  }, [saved]);

  const takeOver = (keep: boolean) => {
    if (!theirs) return;
    const [mine, before] = [form.getValues(), toForm(base)];
    form.reset(toForm(theirs));
    for (const field of keep ? (Object.keys(mine) as Path<V>[]) : [])
      if (!same(mine[field], before[field]))
        form.setValue(field, mine[field] as PathValue<V, Path<V>>, { shouldDirty: true });
    setBase(theirs);
    setTheirs(null);
    shell.forgetProblem();
  };
  const [was, is] = [toForm(base), theirs && toForm(theirs)];
  const conflict = is && {
    changed: Object.keys(is).flatMap((field) => (same(was[field], is[field]) ? [] : (labels[field] ?? []))),
    keep: () => takeOver(true),
    drop: () => takeOver(false),
  };
  return { shell, conflict };
}
