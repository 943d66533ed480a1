/** A text without case, accents and full-width forms; `at` says where each character stood in the original. */
export interface Folded {
  chars: string[];
  at: number[];
}

const mark = /\p{M}/u;

export function foldWithPlaces(text: string): Folded {
  const chars: string[] = [];
  const at: number[] = [];
  let place = 0;
  for (const char of text) {
    for (const part of char.normalize('NFKD').toLowerCase()) {
      if (mark.test(part)) continue;
      chars.push(part);
      at.push(place);
    }
    place += char.length;
  }
  return { chars, at };
}

/** Removes case, accents and full-width forms, so that "reserve" finds "Réservé" and "ab" finds "ＡＢ". */
export function fold(text: string): string {
  return foldWithPlaces(text).chars.join('');
}
