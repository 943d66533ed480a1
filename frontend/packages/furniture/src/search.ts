import type { Furniture } from '@portage/api';
import { type Language, languages } from '@portage/i18n';

/**
 * Finding items by words: the rules of the server's catalogue (`crates/domain/furniture-catalogue/src/search.rs`) on the
 * words it sends. Both are tested with `fixtures/furniture-everyday-words.csv`.
 */

/** Without accents, case and punctuation: "Étagère" is found by "etagere", "Œuvre d’art" by "oeuvre d art". */
export function searchable(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** A word without its plural ending; Chinese has none. */
function stem(word: string, language: Language): string {
  if (language === 'en' && /(?:xes|ches|shes|sses)$/.test(word)) return word.slice(0, -2);
  if (word.length <= 3) return word;
  if (language === 'en') return word.endsWith('ss') ? word : word.replace(/s$/, '');
  return language === 'fr' ? word.replace(/[sx]$/, '') : word;
}

interface Word {
  plain: string;
  stem: string;
}

interface Phrase extends Word {
  words: Word[];
}

function phrase(text: string, language: Language): Phrase {
  // Chinese is written without blanks; those around Latin letters depend on the writer
  const plain = language === 'zh' ? searchable(text).replaceAll(' ', '') : searchable(text);
  const words = plain.split(' ').map((word) => ({ plain: word, stem: stem(word, language) }));
  return { plain, stem: words.map((word) => word.stem).join(' '), words };
}

/** Whether some word of the phrase begins as `word` does, or is it in another number. */
function hasWord({ words }: Phrase, word: Word): boolean {
  return words.some((own) => own.plain.startsWith(word.plain) || own.stem === word.stem);
}

/** The letters of `few` in their order within `many`: "小桌" is in "小餐桌". */
function scattered(few: string, many: string): boolean {
  let from = 0;
  for (const letter of few) {
    const at = many.indexOf(letter, from);
    if (at === -1) return false;
    from = at + letter.length;
  }
  return true;
}

/** How well, then which of the item's words answered: lower is better. */
type Rank = [how: number, which: number];

function rankIn(phrases: Phrase[], language: Language, query: Phrase): Rank | null {
  const tests: ((one: Phrase) => boolean)[] = [
    (one) => one.plain === query.plain || one.stem === query.stem,
    (one) => one.plain.startsWith(query.plain),
    // words as they were typed, before others that only have something in common with them
    (one) => query.words.every((word) => one.words.some((own) => own.plain === word.plain)),
    (one) => query.words.every((word) => hasWord(one, word)),
    (one) => query.words.every((word) => one.plain.includes(word.plain)),
  ];
  for (const [how, test] of tests.entries()) {
    const which = phrases.findIndex(test);
    if (which !== -1) return [how, which];
  }
  if (query.words.every((word) => phrases.some((one) => hasWord(one, word)))) return [5, 0];
  if (language !== 'zh') return null;
  const which = phrases.findIndex((one) => scattered(query.plain, one.plain));
  return which === -1 ? null : [6, which];
}

interface Entry<T> {
  item: T;
  phrases: Record<Language, Phrase[]>;
  groups: string[];
}

type Searched = Pick<Furniture, 'id' | 'name' | 'words' | 'category'>;

/** Searches in a catalogue, whose words are prepared once. `groupName` names a category in a language. */
export class FurnitureSearch<T extends Searched> {
  readonly #entries: Entry<T>[];

  constructor(items: T[], groupNames: (category: T['category']) => string[] = () => []) {
    this.#entries = items.map((item) => ({
      item,
      phrases: Object.fromEntries(
        languages.map((language) => [
          language,
          [item.name[language], ...item.words[language]].map((text) => phrase(text, language)),
        ]),
      ) as Entry<T>['phrases'],
      groups: [...groupNames(item.category), item.id].map(searchable),
    }));
  }

  #ranked(text: string, language: Language): T[] {
    const own = phrase(text, language);
    const foreign = languages
      .filter((other) => other !== language)
      .map((other) => [other, phrase(text, other)] as const);
    const words = searchable(text).split(' ');
    const rank = ({ phrases, groups }: Entry<T>): Rank | null => {
      const here = rankIn(phrases[language], language, own);
      if (here) return here;
      // people mix languages in Montréal, and paste ids from elsewhere
      const there = foreign
        .flatMap(([other, query]) => {
          const found = rankIn(phrases[other], other, query);
          return found && found[0] <= 3 ? [found] : [];
        })
        .sort((a, b) => a[0] - b[0] || a[1] - b[1])[0];
      if (there) return [7 + there[0], there[1]];
      const inGroups = words.every((word) =>
        groups.some((group) => group.split(' ').some((one) => one.startsWith(word))),
      );
      if (inGroups) return [11, 0];
      return groups.some((group) => words.every((word) => group.includes(word))) ? [12, 0] : null;
    };
    return this.#entries
      .flatMap((entry) => {
        const found = rank(entry);
        return found ? [{ found, item: entry.item }] : [];
      })
      .sort((a, b) => a.found[0] - b.found[0] || a.found[1] - b.found[1])
      .map(({ item }) => item);
  }

  /**
   * The items that every word names, best first; where nothing has all the words ("grey sofa"), what has the most telling
   * one. An empty text finds everything.
   */
  find(text: string, language: Language): T[] {
    const query = searchable(text);
    if (query === '') return this.#entries.map(({ item }) => item);
    const found = this.#ranked(text, language);
    if (found.length > 0) return found;
    // the thing itself comes last in English and first in French
    const words = query.split(' ').filter((word) => word.length > 2);
    if (language === 'en') words.reverse();
    for (const word of words) {
      const some = this.#ranked(word, language);
      if (some.length > 0) return some;
    }
    return [];
  }
}
