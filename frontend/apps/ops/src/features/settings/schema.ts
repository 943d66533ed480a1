import { parseCents, plainAmount } from '@portage/domain';
import * as z from 'zod/mini';

import { isGst, isNeq, isQst } from '../../shell/numbers.ts';
import type { Field, Kind, Leaf } from './fields.ts';
import { at, counts, type Form, parseHours, textOf, written } from './values.ts';

/** So many tries of one charge are made at most. */
const mostTries = 5;
const wholeShare = 10_000;

/** What is said of an input that does not have the form of its kind: keys of texts. */
const wrong: Record<Exclude<Kind, 'yes' | 'choice'>, string> = {
  text: 'person:tooLong',
  email: 'common:form.invalid',
  phone: 'person:phoneInvalid',
  gst: 'catalogue:number.tps.wrong',
  qst: 'catalogue:number.tvq.wrong',
  neq: 'catalogue:number.neq.wrong',
  percent: 'settings:wrong.percent',
  money: 'settings:wrong.money',
  whole: 'settings:wrong.whole',
  hours: 'settings:wrong.hours',
  time: 'common:form.invalid',
};

/** Whether an input that is not empty has the form of its kind. */
function fits(leaf: Leaf, text: string): boolean {
  const { kind, least = 0, most } = leaf;
  switch (kind) {
    case 'text':
      return text.length <= 500;
    case 'email':
      return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) && text.length <= 254;
    case 'phone':
      return /^[\d\s+().-]{1,40}$/.test(text) && /^\d{10,15}$/.test(text.replaceAll(/\D/g, ''));
    case 'gst':
      return isGst(text);
    case 'qst':
      return isQst(text);
    case 'neq':
      return isNeq(text);
    case 'percent': {
      const share = parseCents(plainAmount(text));
      return share !== null && share >= least * 100 && share <= wholeShare;
    }
    case 'money':
      return (parseCents(text) ?? -1) >= 0;
    case 'whole': {
      const count = written(leaf, text);
      return typeof count === 'number' && count >= least && (most === undefined || count <= most);
    }
    case 'hours': {
      const hours = parseHours(text) ?? [];
      const rising = hours.every((hour, index) => index === 0 || hour > (hours[index - 1] ?? hour));
      return hours[0] === 0 && rising && hours.length <= mostTries;
    }
    case 'time':
      return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text);
    default:
      return true;
  }
}

const textAt = ({ path }: Leaf, form: Form) => textOf(at(form, path)).trim();

function rulesOf(leaf: Leaf) {
  const { kind } = leaf;
  if (kind === 'yes' || kind === 'choice') return [];
  const path = leaf.path.split('.');
  const idle = (form: Form) => !counts(leaf, form);
  const empty = (form: Form) => textAt(leaf, form) === '';
  return [
    z.refine<Form>((form) => idle(form) || leaf.blank !== 'refused' || !empty(form), {
      error: 'common:form.required',
      path,
    }),
    z.refine<Form>((form) => idle(form) || empty(form) || fits(leaf, textAt(leaf, form)), {
      error: wrong[kind],
      path,
    }),
  ];
}

/** Checks every input by its form. What only the server knows, it says when the form is saved. */
export function schemaOf(fields: readonly Field[]): z.ZodMiniType<Form, Form> {
  return z.custom<Form>().check(...fields.flatMap(({ leaves }) => leaves.flatMap(rulesOf)));
}
