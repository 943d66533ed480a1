import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, posix, relative } from 'node:path';

import { misplaced } from './layout.ts';

export type Texts = Record<string, string>;

/** One file of texts a language, and the folder that shows them. */
export interface Owner {
  namespace: string;
  /** Folder below `frontend/` that holds `locales/`. */
  folder: string;
  /** `book`, `ops`; nothing for a package, whose texts every app may show. */
  app: string | undefined;
}

/** A file of code with the namespaces that its hooks name; the first of a hook is that of a bare key. */
interface Code {
  path: string;
  text: string;
  namespaces: Set<string>;
}

const plural = /_(zero|one|two|few|many|other)$/;
/** A key without its plural form. */
export const stem = (key: string) => key.replace(plural, '');
export const isPlural = (key: string) => plural.test(key);

export function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = posix.join(folder, name);
    if (!statSync(join(root, path)).isDirectory()) return [path];
    return ['node_modules', 'dist', 'test'].includes(name) ? [] : filesBelow(root, path);
  });
}

export function ownersOf(paths: readonly string[]): Owner[] {
  return paths.flatMap((path) => {
    const [, folder = '', namespace = ''] = /^(.*)\/locales\/en\/([^/]+)\.json$/.exec(path) ?? [];
    return namespace ? [{ namespace, folder, app: /^apps\/([^/]+)/.exec(folder)?.[1] }] : [];
  });
}

export function textsOf(root: string, { folder, namespace }: Owner, language: string): Texts {
  return JSON.parse(readFileSync(join(root, folder, 'locales', language, `${namespace}.json`), 'utf8')) as Texts;
}

export function codeOf(root: string, paths: readonly string[]): Code[] {
  return paths
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const hooks = [...text.matchAll(/useTranslation\(\s*(?:\[\s*)?(?:'(\w+)')?/g)];
      return { path, text, namespaces: new Set(hooks.map(([, first = 'common']) => first)) };
    });
}

function mentions(text: string, name: string): boolean {
  if (["'", '"', '`'].some((quote) => text.includes(`${quote}${name}${quote}`))) return true;
  // every place where a variable part may start or stand: `a.${x}`, `${x}.b`, `a.${x}Incomplete`
  for (const [, before = '', after = ''] of text.matchAll(/`([\w.:-]*)\$\{[^}`]+\}([\w.:-]*)`/g)) {
    if ((before === '' && after === '') || before.includes(':') !== name.includes(':')) continue;
    if (
      name.startsWith(before) &&
      name.endsWith(after) &&
      name.length > before.length + after.length &&
      (before.includes('.') || after.includes('.'))
    )
      return true;
  }
  return false;
}

/** Files that show a text: with its namespace before it, or bare below a hook that names the namespace first. */
export function usersOf(code: readonly Code[], { namespace, app }: Owner, key: string): string[] {
  return code
    .filter(({ path }) => app === undefined || path.startsWith(`apps/${app}/`))
    .filter(
      ({ text, namespaces }) =>
        mentions(text, `${namespace}:${key}`) || (namespaces.has(namespace) && mentions(text, key)),
    )
    .map(({ path }) => path);
}

/** The smallest folder that owns texts, or could: a package, a feature, a part of the booking, the shell. */
export function roomOf(path: string): string {
  const [room] = /^packages\/kit\/src\/desk\b/.exec(path) ??
    /^packages\/[^/]+\/src/.exec(path) ??
    /^apps\/[^/]+\/src\/(?:features|booking)\/[^/]+/.exec(path) ??
    /^apps\/[^/]+\/src\/shell/.exec(path) ?? [dirname(path)];
  return room;
}

/** The app or package of a file. */
const programOf = (path: string) => path.split('/').slice(0, 2).join('/');

const all = (places: readonly string[]) => [...places].sort().join(' and ');

/** Says where a text had better lie, when it does not lie with what shows it. */
export function badHome(owner: Owner, key: string, users: readonly string[]): string | undefined {
  const name = `"${owner.namespace}:${key}"`;
  const rooms = [...new Set(users.map(roomOf))];
  const programs = [...new Set(users.map(programOf))];
  const [only] = rooms;
  if (owner.namespace === 'common') {
    if (rooms.length === 1) return `${name} is shown by ${only} alone. Move it to ${only}/locales/.`;
    if (programs.length === 1)
      return `${name} is shown by ${programs[0]} alone, in ${all(rooms)}. Move it to the locales/ of the lowest of them, or of what both import: booking/ or shell/.`;
    return undefined;
  }
  const home = roomOf(`${owner.folder}/texts`);
  for (const user of users) {
    if (roomOf(user) === home) continue;
    const to = owner.folder.startsWith('packages/')
      ? `@portage/${owner.folder.split('/')[1]}`
      : relative(dirname(user), `${owner.folder}/texts`);
    const target = to.startsWith('@') ? to : posix.join(dirname(user), to);
    if (programOf(user) === programOf(owner.folder) && to.startsWith('@')) continue;
    if (misplaced({ from: user, to: target }) !== undefined)
      return `${user} shows ${name} of ${owner.folder}, which it must not import. Move the text to the locales/ of a folder that both may import.`;
  }
  if (rooms.length === 1 && only !== home)
    return `${name} lies in ${owner.folder}, but only ${only} shows it. Move it to ${only}/locales/.`;
  return undefined;
}

/** The `texts.ts` that puts the keys of an owner into the types; nothing when none does. */
export function declarationOf(root: string, { folder, namespace }: Owner): string | undefined {
  let place = folder;
  while (place !== '.' && basename(place) !== 'apps' && basename(place) !== 'packages') {
    for (const name of ['texts.ts', 'resources.ts']) {
      const path = posix.join(place, name);
      if (
        existsSync(join(root, path)) &&
        readFileSync(join(root, path), 'utf8').includes(`${namespace}: typeof ${namespace};`)
      )
        return path;
    }
    place = dirname(place);
  }
  return undefined;
}
