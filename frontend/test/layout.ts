import { readdirSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

import apps from '../apps.json' with { type: 'json' };

/** One import as it stands in a file; both are paths below `frontend/`, or `to` is the name of a package. */
export interface Import {
  from: string;
  to: string;
}

/** Floors of an app from the lowest to the highest; a file may import from its own floor and from those below. */
const floors = ['shell', 'booking', 'features', 'routes'] as const;
/** Files beside the folders: `main`, `router` and what they put together. They may import everything. */
const top = '';

/** Floors inside `booking/`, from the lowest to the highest. */
const bookingFloors = ['draft', 'ask', 'estimate', 'hold', 'checkout', 'edit', 'wizard'] as const;

/** What a package may import of the others. */
const below: Record<string, readonly string[]> = {
  api: [],
  i18n: [],
  kit: ['i18n'],
  domain: ['api', 'i18n', 'kit'],
  session: ['api', 'i18n', 'kit', 'frame'],
  frame: ['api', 'i18n', 'kit'],
  forms: ['api', 'i18n', 'kit'],
  payments: ['api', 'i18n', 'kit', 'forms'],
  person: ['api', 'i18n', 'kit', 'forms', 'frame'],
  address: ['api', 'i18n', 'kit', 'domain', 'forms'],
  furniture: ['api', 'i18n', 'kit', 'domain', 'frame'],
  // answers for tests and for a development server without a backend
  'mock-api': ['api'],
};

export function filesBelow(root: string, folders: readonly string[]): string[] {
  const walk = (folder: string): string[] =>
    readdirSync(join(root, folder)).flatMap((name) => {
      const path = posix.join(folder, name);
      if (name === 'node_modules' || name === 'dist') return [];
      if (statSync(join(root, path)).isDirectory()) return walk(path);
      return /\.(?:[cm]?[jt]sx?|css)$/.test(name) ? [path] : [];
    });
  return folders.flatMap(walk);
}

/** What an import may be written in; a template may have variable parts. */
const quoted = /(['"`])((?:(?!\1).)+)\1/g;

/** Text between quotes, a regular expression aside, or a comment. */
const quotedOrComment = /(["'])(?:\\.|(?!\1)[^\\\n])*\1|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
const withoutComments = (text: string) =>
  text.replaceAll(quotedOrComment, (part) => (/^\/[*/]/.test(part) ? ' ' : part));

/** What is named by a call or a keyword right before it: imports of scripts and styles, workers and files beside them. */
const named = [
  /(?:\bfrom|\bimport|\brequire)\s*\(?\s*(?:\/\*.*?\*\/\s*)?(['"`])((?:(?!\1).)+)\1/g,
  /\bnew URL\(\s*(['"`])((?:(?!\1).)+)\1\s*,\s*import\.meta\./g,
  /@import\s+url\(\s*(['"]?)([^'")]+)\1\s*\)/g,
];

/** Every import of a file: static, re-exporting, dynamic, of styles alone, and of all files of a pattern. */
export function importsOf(from: string, text: string): Import[] {
  // what a comment is cannot be told for certain without the whole grammar: an import that is seen either way counts
  const found = [text, withoutComments(text)].flatMap((read) => {
    const single = named.flatMap((way) => [...read.matchAll(way)]);
    const patterns = [...read.matchAll(/\bimport\.meta\.glob\b(?:<[^(]*>)?\(\s*(\[[^\]]*\]|(['"`])(?:(?!\2).)+\2)/g)];
    const bases = [...read.matchAll(/\bimport\.meta\.glob\b[^;]*?\bbase:\s*(['"`])((?:(?!\1).)+)\1/g)];
    return [
      ...single.map(([, , specifier = '']) => specifier),
      ...patterns.flatMap(([, list = '']) => [...list.matchAll(quoted)].map(([, , pattern = '']) => pattern)),
      ...bases.map(([, , base = '']) => `${base}/*`),
    ];
  });
  return [...new Set(found)]
    .filter((specifier) => !specifier.startsWith('!'))
    .map((specifier) => ({
      from,
      to: specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : specifier,
    }));
}

/** Folders directly below `src` that the drawing does not have. */
export function unknownFolders(root: string): string[] {
  const isFolder = (path: string) => statSync(join(root, path)).isDirectory();
  const foldersIn = (path: string) =>
    readdirSync(join(root, path)).filter((name) => name !== 'node_modules' && isFolder(posix.join(path, name)));
  const inApp = new Set<string>([...floors, 'assets', 'test']);
  return [
    ...foldersIn('packages').flatMap((name) => (name in below ? [] : [`packages/${name}`])),
    ...foldersIn('apps').flatMap((app) =>
      foldersIn(`apps/${app}/src`).flatMap((name) => (inApp.has(name) ? [] : [`apps/${app}/src/${name}`])),
    ),
  ];
}

interface Place {
  kind: 'app' | 'package' | 'tool' | 'elsewhere';
  /** Of the app, the package or the tool. */
  name: string;
  /** Folder below `src`: `features`, `shell`, `test`; empty for the files beside them. */
  floor: string;
  /** Folder below that: the feature, or the part of the booking. */
  part: string;
}

function placeOf(path: string): Place {
  const tool = /^tools\/([^/]+)\//.exec(path)?.[1];
  if (tool !== undefined) return { kind: 'tool', name: tool, floor: top, part: '' };
  const [, kind = '', name = '', rest = ''] = /^(apps|packages)\/([^/]+)\/src\/(.*)$/.exec(path) ?? [];
  const folders = rest.split('/').slice(0, -1);
  return {
    kind: kind === 'apps' ? 'app' : kind === 'packages' ? 'package' : 'elsewhere',
    name,
    floor: folders[0] ?? top,
    part: folders[1] ?? '',
  };
}

/** A file of the workspace beside what is served: its settings, its tests, what others installed. */
const beside = (to: string) =>
  to.startsWith('..') ||
  /^(?:apps|packages|test|e2e|scripts|node_modules)\//.test(to) ||
  /^[\w.-]+\.[cm]?tsx?$/.test(to);

const isTest = (path: string) => path.includes('.test.') || placeOf(path).floor === 'test';

/** Says what is wrong with an import and what to do instead; nothing when it is where it may be. */
export function misplaced({ from, to }: Import): string | undefined {
  const complain = (why: string) => `${from} imports ${to}: ${why}`;
  const here = placeOf(from);
  // the bundler would read it from the app's folder, and this test could not tell whose it is
  if (here.kind !== 'elsewhere' && /^(?:[~@]?\/|#)/.test(to))
    return complain('paths are relative to the file they stand in.');
  const packageName = /^@portage\/([^/]+)/.exec(to)?.[1];
  if (
    here.kind !== 'elsewhere' &&
    /^@portage\/[^/]+\/src\//.test(to) &&
    packageName !== undefined &&
    packageName in below
  )
    return complain(`a package shows only what it exports. Export what is needed from @portage/${packageName}.`);
  if (here.kind !== 'tool' && here.kind !== 'elsewhere' && placeOf(to).kind === 'tool')
    return complain('what is served must not need a tool. Move what both need into a package.');
  if (here.kind === 'tool') return ofTool(here, to, packageName, complain);
  const isServed = here.kind !== 'elsewhere' && !isTest(from);
  if (isServed && placeOf(to).kind === 'elsewhere' && beside(to))
    return complain('what is served needs nothing from beside it. Move what is needed into src/, or into a package.');
  if (isServed && here.name !== 'mock-api' && packageName === 'mock-api' && here.kind === 'app')
    return complain('what is served must not need the stand-in of the API: only tests do.');
  if (here.kind === 'package' && (packageName !== undefined || to.startsWith('apps/') || to.startsWith('packages/'))) {
    const there = placeOf(to);
    if (there.kind === 'app' || (packageName !== undefined && !(packageName in below)))
      return complain('packages stand below the apps. Pass what is needed in as a parameter or a callback.');
    if (there.kind === 'package' && there.name !== here.name)
      return complain(`a package is imported by its name, @portage/${there.name}, which shows only what it exports.`);
    // a package's tests may be answered by the stand-in of the API
    if (isTest(from) && packageName === 'mock-api') return undefined;
    if (packageName !== undefined && packageName !== here.name && !below[here.name]?.includes(packageName))
      return complain(
        `${here.name} stands below ${packageName}. Move what both need into a lower package, or add the arrow to test/layout.ts and to the drawing in README.md.`,
      );
    return undefined;
  }
  if (here.kind === 'app' && packageName !== undefined && !(packageName in below))
    return complain(
      apps.some(({ name }) => name === packageName)
        ? 'an app is no package. What two apps need is a package; within an app, paths are relative.'
        : `there is no package called ${packageName} here. Add it, with what it may import, to test/layout.ts and to the drawing in README.md.`,
    );
  if (here.kind !== 'app' || to.startsWith('@')) return undefined;
  const there = placeOf(to);
  if (there.kind === 'package') return complain(`a package is imported by its name, @portage/${there.name}.`);
  if (there.kind !== 'app') return isTest(from) || !to.startsWith('../') ? undefined : complain('it leaves the app.');
  if (there.name !== here.name) return complain('it belongs to another app. What two apps need is a package.');
  if (isTest(from)) return undefined;
  if (there.floor === 'test') return complain('the app must not need what is made for its tests.');
  if (here.floor === 'features' && there.floor === 'features' && here.part !== there.part)
    return complain(
      there.part === ''
        ? 'features/ has a folder for each feature. What several need goes into shell/ or booking/.'
        : `no feature imports another. What it needs of features/${there.part} goes into shell/ or booking/, or the two meet in routes/.`,
    );
  if (here.floor === top || there.floor === here.floor) return insideBooking(here, there, complain);
  const [low, high] = [here.floor, there.floor].map((floor) => (floors as readonly string[]).indexOf(floor));
  if (low === -1 || (high === -1 && there.floor !== top))
    return complain(
      `there is no place called ${low === -1 ? here.floor : there.floor} in an app. Use ${floors.join(', ')}, or add it to test/layout.ts and to the drawing in README.md.`,
    );
  if (there.floor === top || (high ?? 0) > (low ?? 0))
    return complain(
      `${here.floor}/ stands below ${there.floor === top ? 'the top (main, router)' : `${there.floor}/`}. Move what is needed down, or pass it in from above.`,
    );
  return undefined;
}

/** A tool shows or makes what the packages have; it knows no app. */
function ofTool(
  here: Place,
  to: string,
  packageName: string | undefined,
  complain: (why: string) => string,
): string | undefined {
  const there = placeOf(to);
  if (there.kind === 'app' || (packageName !== undefined && !(packageName in below) && packageName !== here.name))
    return complain('tools know no app. What both need is a package.');
  if (there.kind === 'package') return complain(`a package is imported by its name, @portage/${there.name}.`);
  if (there.kind === 'tool' && there.name !== here.name) return complain('no tool imports another.');
  return undefined;
}

function insideBooking(here: Place, there: Place, complain: (why: string) => string): string | undefined {
  if (here.floor !== 'booking' || here.part === there.part) return undefined;
  const [low, high] = [here, there].map(({ part }) => (bookingFloors as readonly string[]).indexOf(part));
  if (low === -1 || high === -1)
    return complain(
      `there is no place called booking/${low === -1 ? here.part : there.part}. Use ${bookingFloors.join(', ')}, or add it to test/layout.ts.`,
    );
  if ((high ?? 0) > (low ?? 0))
    return complain(
      `booking/${here.part}/ stands below booking/${there.part}/. Move what is needed down, or pass it in from above.`,
    );
  return undefined;
}
