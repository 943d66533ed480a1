import { Textarea, TextInput } from '@mantine/core';
import { useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

import { typeInto } from '../card/draft.ts';
import type { Figure } from '../card/figures.ts';
import { type Kind, shown } from '../card/numbers.ts';
import { getAt, sameJson, stepsOf } from '../card/paths.ts';
import { fieldIdOf } from '../card/places.ts';
import { useCard } from './context.ts';
import { useFigureName } from './names.ts';

/** Kinds of figures without a point. */
const whole: ReadonlySet<Kind> = new Set<Kind>(['whole', 'minutes', 'km', 'volume']);

/** What it was before stands below a field, so that fields of a line stay on it. */
const order: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

/** The field of one value: its name with the unit, what it was before, and for a province what holds without it. */
export function FigureField({ figure }: { figure: Figure }) {
  const { t } = useTranslation('rates');
  const language = useLanguage();
  const name = useFigureName()(figure);
  const { draft, card, base, errors, change } = useCard();
  const { path, kind, instead } = figure;
  const textOf = (of: typeof card, at: string) => {
    const value = getAt(of, at);
    return Array.isArray(value)
      ? value.map((one) => shown(one, kind, language)).join(' / ')
      : shown(value, kind, language);
  };
  const before = textOf(base, path);
  // an entry of a list may have another place than before
  const listed = stepsOf(path)[0] === 'periods' || path.includes('components[') || path.includes('_items[');
  const changed = !listed && !sameJson(getAt(card, path), getAt(base, path));
  const props = {
    id: fieldIdOf(path),
    label: kind === 'text' || kind === 'whole' ? name : t('withUnit', { name, unit: t(`unit.${kind}`) }),
    value: draft.typed[path] ?? textOf(draft.card, path),
    error: errors[path],
    placeholder: instead === undefined ? undefined : textOf(card, instead) || undefined,
    description: changed ? (before === '' ? t('wasNone') : t('was', { value: before })) : undefined,
    inputWrapperOrder: order,
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { currentTarget: { value: string } }) => {
      const text = event.currentTarget.value;
      change(path, (now) => typeInto(now, path, text));
    },
  };
  if (figure.name === 'about') return <Textarea {...props} autosize minRows={2} maxRows={6} />;
  return <TextInput {...props} inputMode={kind === 'text' ? 'text' : whole.has(kind) ? 'numeric' : 'decimal'} />;
}

/** Several fields after each other. */
export function FigureFields({ figures }: { figures: readonly Figure[] }) {
  return figures.map((figure) => <FigureField key={figure.path} figure={figure} />);
}
