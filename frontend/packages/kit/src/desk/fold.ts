/** A text in the normal form of search; `at` says where each character stood in the original. */
export interface Folded {
  chars: string[];
  at: number[];
}

const mark = /\p{M}/u;
/** What people and programs write for an apostrophe. */
const apostrophe = /['’‘´ʼʻʹ＇]/u;
/** Small letters that are no letter with an accent, as who has no such key writes them. */
const writtenOut: Readonly<Record<string, string>> = {
  œ: 'oe',
  æ: 'ae',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ß: 'ss',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
};

/** Folds as the server does (`kernel::text::fold`), so that the palette finds what the search of the list finds. */
export function foldWithPlaces(text: string): Folded {
  const chars: string[] = [];
  const at: number[] = [];
  let place = 0;
  for (const char of text) {
    // before the decomposition, which makes a blank and an accent of the acute that stands alone
    const plain = apostrophe.test(char) ? "'" : char;
    for (const part of plain.normalize('NFKD').toLowerCase()) {
      if (mark.test(part)) continue;
      for (const letter of writtenOut[part] ?? part) {
        chars.push(letter);
        at.push(place);
      }
    }
    place += char.length;
  }
  return { chars, at };
}

/**
 * Removes case, accents and full-width forms, writes out letters that keyboards lack and makes one of all apostrophes,
 * so that "reserve" finds "Réservé", "coeur" finds "Cœur" and "ab" finds "ＡＢ".
 */
export function fold(text: string): string {
  return foldWithPlaces(text).chars.join('');
}
