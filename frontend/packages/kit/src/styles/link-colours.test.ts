// @vitest-environment node
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';

const kit = join(import.meta.dirname, '..');

function styles(dir: string): string[] {
  return readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    if (statSync(path).isDirectory()) return styles(path);
    return name.endsWith('.css') ? [path] : [];
  });
}

/** The text without what stands inside `@layer … { }`. */
function unlayered(css: string): string {
  let rest = '';
  let depth = 0;
  let layer = 0;
  for (const part of css.split(/(@layer[^;{}]*\{|\{|\})/)) {
    if (part === '}') {
      depth -= 1;
      if (depth < layer) layer = 0;
    } else if (part.endsWith('{')) {
      depth += 1;
      if (part.startsWith('@layer') && layer === 0) layer = depth;
    }
    if (layer === 0) rest += part;
  }
  return rest;
}

it('colours links only in a layer below the buttons, so that a button that is a link keeps its own colours', () => {
  const above = styles(kit).filter((path) =>
    /(?:^|[\s>+~,])a(?::[\w-]+)?\s*\{[^}]*\bcolor:/.test(unlayered(readFileSync(path, 'utf8'))),
  );
  expect(above.map((path) => relative(kit, path))).toEqual([]);
});
