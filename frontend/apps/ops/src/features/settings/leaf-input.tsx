import type { FieldPath } from '@portage/forms';
import { CheckboxField, SelectField, TextField } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import { useSettings } from './context.ts';
import { changeFeeModes, type Kind, type Leaf, retentionModes } from './fields.ts';
import { useWords } from './labels.ts';
import type { Form } from './values.ts';

/** What helps to type a value of a kind: keyboards of a phone, the browser's own clock. */
const typing: Partial<Record<Kind, { type?: string; inputMode?: 'decimal' | 'numeric'; spellCheck?: boolean }>> = {
  email: { type: 'email' },
  phone: { type: 'tel' },
  gst: { spellCheck: false },
  qst: { spellCheck: false },
  neq: { inputMode: 'numeric' },
  percent: { inputMode: 'decimal' },
  money: { inputMode: 'decimal' },
  whole: { inputMode: 'numeric' },
  time: { type: 'time' },
};

interface LeafInputProps {
  leaf: Leaf;
  /** Instead of the name of its kind, where a list has several of them. */
  label?: string;
  /** Without the sentence of what it does: the list has said it. */
  plain?: boolean;
}

/** One input of a setting with its name, its unit and what it does. */
export function LeafInput({ leaf, label, plain = false }: LeafInputProps) {
  const { t } = useTranslation('settings');
  const { control } = useSettings();
  const words = useWords();
  const { kind, key, path, blank } = leaf;
  const bound = { control, name: path as FieldPath<Form>, label: label ?? words.label(key) };
  const said = plain ? {} : { description: words.help(key) };
  if (kind === 'yes') return <CheckboxField {...bound} {...said} />;
  if (kind === 'choice') {
    const data =
      key === 'mode'
        ? retentionModes.map((value) => ({ value, label: t(`retentionMode.${value}`) }))
        : changeFeeModes.map((value) => ({ value, label: t(`mode.${value}`) }));
    return <SelectField {...bound} {...said} data={data} />;
  }
  // the browser would fill in the colleague's own
  return <TextField {...bound} {...said} {...typing[kind]} optional={blank !== 'refused'} autoComplete="off" />;
}
