/** Shows the text with the characters at `places` marked; neighbouring characters share one mark. */
export function HighlightedText({ text, places }: { text: string; places: readonly number[] }) {
  if (places.length === 0) return text;
  const wanted = new Set(places);
  const parts: { text: string; marked: boolean; at: number }[] = [];
  let at = 0;
  for (const char of text) {
    const marked = wanted.has(at);
    const last = parts.at(-1);
    if (last?.marked === marked) last.text += char;
    else parts.push({ text: char, marked, at });
    at += char.length;
  }
  return parts.map((part) => (part.marked ? <mark key={part.at}>{part.text}</mark> : part.text));
}
