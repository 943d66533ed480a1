/** How much a text says to a search: a Chinese character is a word, and counts for two letters. */
export function searchLength(text: string): number {
  return text.trim().replaceAll(/\p{Script=Han}/gu, '--').length;
}
