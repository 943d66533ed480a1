import type { FieldProblem } from '@portage/forms';

const prefix = 'values.';

/**
 * The input that a mistake is shown at. The server names what it read: a list by its entries, a field with several
 * inputs by its own name. `known` are the paths of all inputs, in the order of the page.
 */
export function inputOf(field: string, known: readonly string[]): string {
  const plain = field.replaceAll(/\[(\d+)\]/g, '.$1');
  const path = plain.startsWith(prefix) ? plain.slice(prefix.length) : plain;
  const names = path.split('.');
  for (let length = names.length; length > 0; length -= 1) {
    const part = names.slice(0, length).join('.');
    const found = known.find((one) => one === part) ?? known.find((one) => one.startsWith(`${part}.`));
    if (found !== undefined) return found;
  }
  return path;
}

/** The mistakes that the server found, each at its input. */
export function problemsAt(errors: readonly FieldProblem[], known: readonly string[]): FieldProblem[] {
  return errors.map(({ field, message }) => ({ field: inputOf(field, known), message }));
}
