import { TextInput } from '@mantine/core';
import { type Control, type FieldPath, type FieldValues, useController } from '@portage/forms';
import { fieldId, useFieldMessage } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './catalogue.module.css';

interface ChipsFieldProps<V extends FieldValues> {
  control: Control<V>;
  name: FieldPath<V>;
  label: string;
  /** Says what it means when none is chosen. */
  help?: string;
  options: readonly { value: string; label: string }[];
  /** Others may be typed: what the field for them is called, and what is kept of the words. */
  other?: { label: string; valueOf: (typed: string) => string };
}

/** Several of a list, as boxes to check; values that are not on the list stand behind it. */
export function ChipsField<V extends FieldValues>({ control, name, label, help, options, other }: ChipsFieldProps<V>) {
  const message = useFieldMessage();
  const id = useId();
  const { field, fieldState } = useController({ control, name });
  const chosen = field.value as string[];
  // a value of one's own stays in sight when it is unchecked, until the form is closed
  const [own, setOwn] = useState<readonly string[]>([]);
  const known = new Set(options.map(({ value }) => value));
  const others = [...new Set([...own, ...chosen])].filter((value) => !known.has(value));
  const all = [...options, ...others.map((value) => ({ value, label: value }))];
  const error = message(fieldState.error?.message, label);
  const set = (value: string, on: boolean) => {
    if (!known.has(value)) setOwn((now) => [...new Set([...now, value])]);
    const wanted = new Set(on ? [...chosen, value] : chosen.filter((one) => one !== value));
    // in the order of the list: checking a box twice changes nothing
    field.onChange([...all.map((one) => one.value), value].filter((one) => wanted.delete(one)));
  };
  const describedBy = [help ? `${id}-help` : null, error ? `${id}-error` : null].filter(Boolean).join(' ');
  return (
    <fieldset aria-describedby={describedBy || undefined} className={classes['chipsField']}>
      <legend className="pg-label">{label}</legend>
      {help ? (
        <p id={`${id}-help`} className="pg-help">
          {help}
        </p>
      ) : null}
      <div className={classes['chips']}>
        {all.map((option, index) => (
          <label key={option.value} className={classes['chip']}>
            <input
              id={index === 0 ? fieldId(name) : undefined}
              type="checkbox"
              checked={chosen.includes(option.value)}
              onChange={(event) => set(option.value, event.currentTarget.checked)}
              onBlur={field.onBlur}
            />
            {option.label}
          </label>
        ))}
      </div>
      {other ? <Other label={other.label} onAdd={(typed) => set(other.valueOf(typed), true)} /> : null}
      {error ? (
        <p id={`${id}-error`} className="pg-error">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}

function Other({ label, onAdd }: { label: string; onAdd: (typed: string) => void }) {
  const { t } = useTranslation('catalogue');
  const [text, setText] = useState('');
  const add = () => {
    const typed = text.trim();
    if (typed) onAdd(typed);
    setText('');
  };
  return (
    <div className={classes['other']}>
      <TextInput
        label={label}
        value={text}
        maxLength={60}
        autoComplete="off"
        onChange={(event) => setText(event.currentTarget.value)}
        // what is typed and not added would be lost when the form is saved
        onBlur={add}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
      />
      <DeskButton onClick={add}>{t('chips.add')}</DeskButton>
    </div>
  );
}
