export interface FileRules {
  /** Endings with their dot (`.pdf`) and kinds (`image/*`, `text/csv`). */
  accept: readonly string[];
  maxBytes: number;
  /** So many files in all; no limit without. */
  maxFiles?: number;
}

export type Refusal = 'type' | 'size' | 'empty' | 'count' | 'twice';

export interface RefusedFile {
  name: string;
  size: number;
  reason: Refusal;
}

function fits(file: File, accept: readonly string[]): boolean {
  const name = file.name.toLowerCase();
  return accept.some((rule) => {
    if (rule.startsWith('.')) return name.endsWith(rule.toLowerCase());
    if (rule.endsWith('/*')) return file.type.startsWith(rule.slice(0, -1));
    return file.type === rule;
  });
}

/** Separates the files that may be sent from those that may not, each with the reason. The server checks again: a file name proves nothing. */
export function checkFiles(
  files: readonly File[],
  rules: FileRules,
  present: readonly { name: string; size: number }[],
): { taken: File[]; refused: RefusedFile[] } {
  const taken: File[] = [];
  const refused: RefusedFile[] = [];
  for (const file of files) {
    const known = [...present, ...taken];
    const reason: Refusal | null = !fits(file, rules.accept)
      ? 'type'
      : file.size === 0
        ? 'empty'
        : file.size > rules.maxBytes
          ? 'size'
          : known.some((one) => one.name === file.name && one.size === file.size)
            ? 'twice'
            : rules.maxFiles !== undefined && known.length >= rules.maxFiles
              ? 'count'
              : null;
    if (reason) refused.push({ name: file.name, size: file.size, reason });
    else taken.push(file);
  }
  return { taken, refused };
}

/** Converts bytes to the largest unit in which the number is at least one; a kilobyte is 1000 bytes, as in file managers. */
export function sizeUnit(bytes: number): { value: number; unit: 'byte' | 'kilobyte' | 'megabyte' } {
  if (bytes < 1000) return { value: bytes, unit: 'byte' };
  if (bytes < 999_500) return { value: bytes / 1000, unit: 'kilobyte' };
  return { value: bytes / 1_000_000, unit: 'megabyte' };
}
