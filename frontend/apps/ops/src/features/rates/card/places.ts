import { choicesOf, figuresOf } from './figures.ts';
import { type Card, isWithin } from './paths.ts';

/** Where a mistake of a request is shown. */
export interface Place {
  /** The place as the server names it, without the name of the card before it. */
  path: string;
  /** The field that is next to it; none when nothing on the page is. */
  field: string | null;
}

/** The place of a mistake on the page: the field itself, else the first one within what the server names. */
export function placeOf(field: string, card: Card): Place {
  const path = field.replace(/^card\.?/, '').replace(/(\.extra_services\.)tvMounting$/, '$1tv_mounting');
  const fields = [...figuresOf(card).map((figure) => figure.path), ...choicesOf(card)];
  const exact = fields.find((one) => one === path);
  return { path, field: exact ?? (path === '' ? null : (fields.find((one) => isWithin(one, path)) ?? null)) };
}

/** Id of the element that a value of the card is changed with. */
export function fieldIdOf(path: string): string {
  return `rate-${path.replaceAll(/[^\w-]/g, '-')}`;
}
