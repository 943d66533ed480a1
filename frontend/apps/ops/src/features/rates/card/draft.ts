import type { Figure } from './figures.ts';
import { readFigure, shown } from './numbers.ts';
import { type Card, getAt, isWithin, type Json, removeAt, setAt } from './paths.ts';

/** A card that is being changed: what was typed into its fields lies beside it, by place, until it is read. */
export interface Draft {
  card: Card;
  typed: Record<string, string>;
}

/** Why what was typed cannot be kept. */
export type Fault = 'required' | 'unreadable' | 'negative' | 'negativeMoney';

export function draftOf(card: Card): Draft {
  return { card, typed: {} };
}

/** A draft as it can be sent, and what of it cannot be read. */
export interface Finished {
  card: Card;
  wrong: Record<string, Fault>;
}

/** A number below zero is one, but none that a card can have: the rule is said. */
function faultOf(text: string, { kind }: Figure): Fault {
  if (kind === 'text' || !/^[-\u2212]\s*\$?\s*\d/.test(text)) return 'unreadable';
  return kind === 'money' ? 'negativeMoney' : 'negative';
}

/** The card with everything that was typed. A card that nobody touched is the card that came. */
export function finish({ card, typed }: Draft, figures: readonly Figure[]): Finished {
  const wrong: Record<string, Fault> = {};
  let made = card;
  const textOf = ({ path, kind }: Figure) => (typed[path] ?? shown(getAt(card, path), kind, 'en')).trim();
  const read = (figure: Figure, text: string): Json | undefined => {
    const value = readFigure(text, figure.kind);
    if (value === undefined) wrong[figure.path] = faultOf(text, figure);
    return value;
  };
  const lists = new Map<string, Figure[]>();
  for (const figure of figures) {
    if (figure.tuple !== undefined) {
      lists.set(figure.tuple, [...(lists.get(figure.tuple) ?? []), figure]);
      continue;
    }
    const text = textOf(figure);
    if (text === '' && !figure.mayBeEmpty) {
      if (!figure.optional) wrong[figure.path] = 'required';
      else if (getAt(made, figure.path) !== undefined) made = removeAt(made, figure.path);
      continue;
    }
    if (typed[figure.path] === undefined) continue;
    const value = read(figure, text);
    if (value !== undefined) made = setAt(made, figure.path, value);
  }
  for (const [path, members] of lists) {
    const texts = members.map(textOf);
    if (texts.every((text) => text === '') && members[0]?.optional) {
      if (getAt(made, path) !== undefined) made = removeAt(made, path);
      continue;
    }
    members.forEach((figure, index) => {
      if (texts[index] === '') wrong[figure.path] = 'required';
    });
    if (members.some((figure) => typed[figure.path] !== undefined)) {
      const values = members.map((figure) => {
        const text = textOf(figure);
        return text === '' ? null : (read(figure, text) ?? null);
      });
      if (!values.includes(null)) made = setAt(made, path, values);
    }
  }
  return { card: made, wrong };
}

/** Keeps what was typed into a field. */
export function typeInto(draft: Draft, path: string, text: string): Draft {
  return { ...draft, typed: { ...draft.typed, [path]: text } };
}

const without = (typed: Draft['typed'], path: string) =>
  Object.fromEntries(Object.entries(typed).filter(([place]) => !isWithin(place, path)));

/** Puts a whole value in its place; what was typed below it is gone. */
export function setPart({ card, typed }: Draft, path: string, value: Json): Draft {
  return { card: setAt(card, path, value), typed: without(typed, path) };
}

/** Takes a named part away. */
export function removePart({ card, typed }: Draft, path: string): Draft {
  return { card: removeAt(card, path), typed: without(typed, path) };
}

/** Adds an entry to the end of a list. */
export function addEntry({ card, typed }: Draft, list: string, value: Json): Draft {
  const entries = getAt(card, list);
  return { card: setAt(card, list, [...(Array.isArray(entries) ? entries : []), value]), typed };
}

/** Takes an entry out of a list; what was typed into those behind it moves up with them. */
export function removeEntry({ card, typed }: Draft, list: string, index: number): Draft {
  const moved = Object.entries(typed).flatMap(([place, text]): [string, string][] => {
    if (!place.startsWith(`${list}[`)) return [[place, text]];
    const rest = place.slice(list.length + 1);
    const at = Number.parseInt(rest, 10);
    if (at === index) return [];
    return [[at > index ? `${list}[${at - 1}${rest.slice(rest.indexOf(']'))}` : place, text]];
  });
  return { card: removeAt(card, `${list}[${index}]`), typed: Object.fromEntries(moved) };
}
