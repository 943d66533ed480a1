import { fold, type Folded, foldWithPlaces } from '../fold.ts';

const han = /\p{Script=Han}/u;
const letter = /[\p{L}\p{N}]/u;

export interface Match {
  /** Higher is better. */
  score: number;
  /** Places in the text of the characters that matched, to be marked. */
  places: number[];
}

/** Chinese writes no spaces: every character begins a word. */
function beginsWord(chars: string[], index: number): boolean {
  const before = chars[index - 1];
  return before === undefined || !letter.test(before) || han.test(chars[index] ?? '');
}

/** Finds the letters of `word` in this order; prefers neighbouring letters and beginnings of words. */
function matchInOrder(word: string[], text: Folded): Match | null {
  const { chars } = text;
  // best[i] is the best match of the letters so far whose last one stands at i
  let best = new Map<number, Match>();
  for (const [index, wanted] of word.entries()) {
    const next = new Map<number, Match>();
    for (const [place, char] of chars.entries()) {
      if (char !== wanted) continue;
      const start = beginsWord(chars, place) ? 8 : 0;
      if (index === 0) {
        next.set(place, { score: 1 + start - Math.min(place, 20) * 0.1, places: [place] });
        continue;
      }
      let found: Match | null = null;
      for (const [before, match] of best) {
        if (before >= place) continue;
        const gap = place - before - 1;
        const score = match.score + 1 + (gap === 0 ? 10 : start - Math.min(gap, 12) * 0.4);
        if (!found || score > found.score) found = { score, places: [...match.places, place] };
      }
      if (found) next.set(place, found);
    }
    if (next.size === 0) return null;
    best = next;
  }
  const all = [...best.values()].sort((a, b) => b.score - a.score)[0];
  if (!all) return null;
  // letters strewn over a text are no match: at least every second one joins another or begins a word
  const joined = all.places.filter((place, i) => place - 1 === all.places[i - 1] || beginsWord(chars, place)).length;
  if (joined * 2 < word.length) return null;
  return { score: all.score - chars.length * 0.02, places: all.places };
}

/** Finds the characters of a Chinese word in any order: 预订取消 finds 取消预订. */
function matchAnyOrder(word: string[], text: Folded): Match | null {
  if (word.length < 2 || !word.every((char) => han.test(char))) return null;
  const places: number[] = [];
  for (const char of word) {
    const place = text.chars.findIndex((one, index) => one === char && !places.includes(index));
    if (place === -1) return null;
    places.push(place);
  }
  return { score: word.length, places: places.sort((a, b) => a - b) };
}

/** Finds every word of the query in the text, in any order of words; null when one is missing. An empty query matches everything. */
export function fuzzyMatch(query: string, text: string): Match | null {
  const folded = foldWithPlaces(text);
  const words = fold(query).split(/\s+/).filter(Boolean);
  let score = 0;
  const places = new Set<number>();
  for (const word of words) {
    const chars = Array.from(word);
    const match = matchInOrder(chars, folded) ?? matchAnyOrder(chars, folded);
    if (!match) return null;
    score += match.score;
    for (const place of match.places) places.add(folded.at[place] ?? 0);
  }
  return { score, places: [...places].sort((a, b) => a - b) };
}
