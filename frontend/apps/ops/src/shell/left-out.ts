import { filterCodec } from '@portage/kit/desk/filters';

/** Parameters of an address. */
type Search = Record<string, unknown>;

/** What a list keeps in the address beside its filters; `lang` is everybody's. */
export const ofEveryList = ['sort', 'page', 'perPage', 'columns', 'rows', 'lang'];

/** What an address asks of a list and the list does not know: nobody is to take what is shown for its answer. */
export interface LeftOut {
  /** In the words of the page where it has some. */
  names: string[];
  /** Put over the parameters of the address, it takes all of that out. */
  without: Search;
}

/** What an unknown parameter is called. The calls of a list take their filters as one object: then, by its keys. */
const namesOf = ([name, value]: [string, unknown]): string[] =>
  name === 'filters' && typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.keys(value)
    : [name];

const noFilters = filterCodec([]);

/** `also`: what the page reads beside the filters of `codec` and its table. */
export function leftOutOf(search: Search, codec = noFilters, also: readonly string[] = []): LeftOut {
  const known = new Set([...ofEveryList, ...Object.keys(codec.write({})), ...also]);
  const unknown = Object.entries(search).filter(([name, value]) => value !== undefined && !known.has(name));
  return {
    names: [...codec.unread(search).map(({ label }) => label), ...unknown.flatMap(namesOf)],
    without: { ...codec.write(codec.read(search)), ...Object.fromEntries(unknown.map(([name]) => [name, undefined])) },
  };
}
