import { NativeSelect, TextInput } from '@mantine/core';
import { DeskButton } from '@portage/kit/desk/button';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';

import classes from '../rates.module.css';

const plus = <IconPlus size={16} stroke={1.75} aria-hidden />;

interface AddProps {
  label: string;
  addLabel: string;
  onAdd: (value: string) => void;
}

/** Adds one of a list that is not there yet; nothing when all of them are. */
export function AddFrom({
  label,
  addLabel,
  options,
  onAdd,
}: AddProps & { options: { value: string; label: string }[] }) {
  const [chosen, setChosen] = useState('');
  const value = options.find((one) => one.value === chosen)?.value ?? options[0]?.value;
  if (value === undefined) return null;
  return (
    <div className={classes['add']}>
      <NativeSelect
        label={label}
        value={value}
        data={options}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      <DeskButton icon={plus} onClick={() => onAdd(value)}>
        {addLabel}
      </DeskButton>
    </div>
  );
}

/** A key as the catalogue of furniture has them: `piano-upright`. */
const keyOf = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/\s+/g, '-')
    .replaceAll(/[^\w-]/g, '');

/** Adds the key that somebody types, unless it is there already. */
export function AddTyped({ label, addLabel, taken, onAdd }: AddProps & { taken: readonly string[] }) {
  const [text, setText] = useState('');
  const add = () => {
    const typed = keyOf(text);
    if (typed === '' || taken.includes(typed)) return;
    onAdd(typed);
    setText('');
  };
  return (
    <div className={classes['add']}>
      <TextInput
        label={label}
        value={text}
        maxLength={60}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
      />
      <DeskButton icon={plus} onClick={add}>
        {addLabel}
      </DeskButton>
    </div>
  );
}
