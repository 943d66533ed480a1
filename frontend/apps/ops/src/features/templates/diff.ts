/** A line of a comparison: in both, only before, or only now. */
export interface DiffLine {
  mark: 'same' | 'gone' | 'new';
  text: string;
}

/** More pairs of lines than this are not compared one by one. */
const most = 1_000_000;

/** Compares two texts line by line: the longest common lines stay, the rest went or came. */
export function diffLines(before: string, now: string): DiffLine[] {
  const a = before.split('\n');
  const b = now.split('\n');
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const same = (text: string): DiffLine => ({ mark: 'same', text });
  return [
    ...a.slice(0, start).map(same),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(same),
  ];
}

function middle(a: string[], b: string[]): DiffLine[] {
  const gone = (text: string): DiffLine => ({ mark: 'gone', text });
  const fresh = (text: string): DiffLine => ({ mark: 'new', text });
  if (a.length * b.length > most) return [...a.map(gone), ...b.map(fresh)];
  // how many lines are common from here on
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const out: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      out.push({ mark: 'same', text: left });
      i += 1;
      j += 1;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      out.push(gone(left));
      i += 1;
    } else if (right !== undefined) {
      out.push(fresh(right));
      j += 1;
    }
  }
  return out;
}
