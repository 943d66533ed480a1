import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { PluginOption, Rolldown } from 'vite';

/** What a page needs besides what every page loads: its lazy entry, and the namespaces of its texts. */
type EarlyPages = Record<string, { entry?: string; texts: string[] }>;

const languages = ['en', 'fr', 'zh'];

/** Files that a chunk needs: itself, what it imports statically, and their styles. */
function filesOf(bundle: Rolldown.OutputBundle, name: string, found = new Set<string>()): Set<string> {
  const chunk = bundle[name];
  if (chunk?.type !== 'chunk' || found.has(name)) return found;
  found.add(name);
  for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
  for (const next of chunk.imports) filesOf(bundle, next, found);
  return found;
}

/** The chunk that holds a module, by the end of the module's path. */
function holderOf(bundle: Rolldown.OutputBundle, path: string): string {
  const chunk = Object.values(bundle).find(
    (one) => one.type === 'chunk' && one.moduleIds.some((id) => id.endsWith(path)),
  );
  if (!chunk) throw new Error(`early-pages.json needs ${path}, but no chunk has it`);
  return chunk.fileName;
}

/**
 * Lets a slow connection carry what a page needs in one go, and shows index.html before the styles of the app have come:
 * - the entry and the texts of the pages in the app's `early-pages.json` are asked for beside the first script, not by it
 * - the styles stand at the end of the body: what is above them has its own, and no script runs before they are there
 */
export function earlyFiles(app: string): PluginOption {
  const list = join(import.meta.dirname, 'apps', app, 'src/early-pages.json');
  const pages = (existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : {}) as EarlyPages;
  return {
    name: 'portage-early-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle, server }) {
        if (!bundle || server) return html;
        const base = /src="([^"]*\/)assets\//.exec(html)?.[1] ?? '/';
        const texts = (language: string, namespaces: string[]) =>
          namespaces.map((one) => holderOf(bundle, `/locales/${language}/${one}.json`));
        const isNew = (file: string) => !html.includes(file);
        const early = Object.fromEntries(
          Object.entries(pages).map(([path, { entry, texts: namespaces }]) => [
            path,
            {
              all: entry ? [...filesOf(bundle, holderOf(bundle, entry))].filter(isNew) : [],
              ...Object.fromEntries(languages.map((language) => [language, texts(language, namespaces)])),
            },
          ]),
        );
        const first = Object.fromEntries(
          languages.map((language) => [
            language,
            Object.values(bundle)
              .filter((one) => one.type === 'chunk' && one.name === `texts-${language}`)
              .map((one) => one.fileName),
          ]),
        );
        const script = `
      // asks for what this page needs beside the first script; the names are written here by the build
      (function (first, pages) {
        var language = document.documentElement.lang.slice(0, 2);
        // index.html knows of a step that leads to the first one
        var path = document.documentElement.hasAttribute('data-locations') ? '/locations' : location.pathname;
        var page = pages[path] || { all: [] };
        (first[language] || []).concat(page.all, page[language] || []).forEach(function (file) {
          var link = document.createElement('link');
          var style = /\\.css$/.test(file);
          link.rel = style ? 'preload' : 'modulepreload';
          if (style) link.as = 'style';
          link.crossOrigin = '';
          link.href = '${base}' + file;
          document.head.appendChild(link);
        });
      })(${JSON.stringify(first)}, ${JSON.stringify(early)});
    `;
        const styles = /\s*<link rel="stylesheet"[^>]*>/g;
        const moved = (html.match(styles) ?? []).join('');
        return {
          html: html
            .replaceAll(styles, '')
            .replace(/\s*<\/body>/, () => `${moved}\n  </body>`)
            // styles first: they decide when something can be seen
            .replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"'),
          tags: [{ tag: 'script', children: script, injectTo: 'head' }],
        };
      },
    },
  };
}
