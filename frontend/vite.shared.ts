import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import react from '@vitejs/plugin-react';
import { defineConfig, type PluginOption, type Rolldown, type UserConfig } from 'vite';

import apps from './apps.json' with { type: 'json' };
import { earlyFiles } from './early-files.ts';
import { importAgain } from './import-again.ts';
import { loadTrouble } from './load-trouble.ts';

const backend = process.env['PORTAGE_BACKEND'] ?? 'http://127.0.0.1:8080';

/** Answers /api from the in-memory stand-in that the tests use, too. */
function mockApi(): PluginOption {
  return {
    name: 'portage-mock-api',
    async configureServer(server) {
      const { nodeMiddleware } = await import('./packages/mock-api/src/mock-middleware.ts');
      server.middlewares.use(nodeMiddleware());
    },
  };
}

/** The development server has no page to complete for each answer; where it is reached it knows itself. */
function publicUrl(): PluginOption {
  return {
    name: 'portage-public-url',
    apply: 'serve',
    transformIndexHtml: (html) => html.replaceAll('{{public_url}}', ''),
  };
}

/** Puts the texts that an app needs before anything is shown into one file a language, to be fetched in one go. */
function firstTextsOf(name: string) {
  const file = join(import.meta.dirname, 'apps', name, 'src/first-texts.json');
  const first = JSON.parse(readFileSync(file, 'utf8')) as string[];
  const path = new RegExp(`/locales/(\\w+)/(?:${first.join('|')})\\.json$`);
  return {
    test: path,
    name: (id: string) => {
      const language = path.exec(id)?.[1];
      return language ? `texts-${language}` : null;
    },
  };
}

/**
 * Chunks that would fall into a dozen small files: each costs a slow phone a way there and back. Above what is below in
 * this list comes first; what none of them names is split by page.
 */
function groupsOf(name: string): Rolldown.CodeSplittingGroup[] {
  const parts =
    name === 'book'
      ? // each step of a booking is a form, and has these besides
        {
          form: [
            '/packages/(?:forms|kit)/src/(?!desk/|.*dialog)',
            '/node_modules/zod/',
            '/booking/wizard/(?:step-actions|use-go-on)',
            '/address-refusal',
            '/domain/src/provinces',
          ],
        }
      : // most of its pages are lists, which have no form, and many no field
        {
          kit: [
            '/packages/kit/src/(?!desk/|fields/|.*dialog)',
            // what fields and dialogs share
            '/@mantine/core/esm/core/',
            '/@mantine/hooks/esm/(?:use-id|use-uncontrolled|utils)/',
          ],
          fields: ['/@mantine/core/esm/components/(?:Checkbox|NativeSelect|Textarea|TextInput)/'],
          form: ['/packages/forms/src/', '/packages/kit/src/fields/'],
        };
  return [
    firstTextsOf(name),
    // an update of ours leaves the libraries in people's caches; styles of theirs come with ours, in one file
    { name: 'libraries', tags: ['$initial'], test: /\/node_modules\/(?!.*\.css$)/ },
    { name: 'first', tags: ['$initial'] },
    ...Object.entries(parts).map(([part, paths]) => ({ name: part, test: new RegExp(paths.join('|')) })),
  ];
}

/**
 * Tells V8 to compile all of a file while it arrives, beside the page's own thread: nearly all that the first page loads
 * is called before anything can be pressed, and compiling it one function after the other took a slow phone a tenth of
 * the time until then. Other engines read a comment (https://v8.dev/blog/explicit-compile-hints).
 */
function compileHints(): PluginOption {
  return {
    name: 'portage-compile-hints',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // the hint counts on the first line only, and Vite writes a line of its own above a chunk's code
      order: 'post',
      handler(_, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk' || !['libraries', 'index', 'form'].includes(chunk.name)) continue;
          chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`;
        }
      },
    },
  };
}

/** What all apps are built and served with; `name` is the app's in apps.json. */
export function appConfig(name: string, plugins: PluginOption[] = []): UserConfig {
  const app = apps.find((one) => one.name === name);
  if (!app) throw new Error(`no app "${name}" in apps.json`);
  // the app at / is what the browser talks to in development: it passes on what belongs to another app
  const others = app.base === '/' ? apps.filter((one) => one !== app) : [];
  const toServer = ['/api', '/identity', '/simulators', '/mailbox'].map((path) => [
    path,
    { target: backend, changeOrigin: false },
  ]);
  const toApps = others.map(({ base, port }) => [
    base.replace(/\/$/, ''),
    { target: `http://127.0.0.1:${port}`, changeOrigin: false, ws: true },
  ]);
  return defineConfig({
    base: app.base,
    // texts are looked up by their keys, never imported one by one
    json: { namedExports: false },
    plugins: [
      react(),
      publicUrl(),
      ...plugins,
      loadTrouble(),
      importAgain(),
      earlyFiles(name),
      compileHints(),
      process.env['PORTAGE_MOCK_API'] ? mockApi() : null,
    ],
    // the server replaces this literal in index.html with a fresh nonce for each response
    html: { cspNonce: '{{csp_nonce}}' },
    build: {
      manifest: true,
      target: 'baseline-widely-available',
      assetsInlineLimit: 0,
      cssCodeSplit: true,
      rolldownOptions: { output: { codeSplitting: { groups: groupsOf(name) } } },
    },
    server: {
      port: app.port,
      strictPort: true,
      ...(app.base === '/' ? {} : { host: '127.0.0.1' }),
      proxy: Object.fromEntries([...toServer, ...toApps]) as Record<string, object>,
    },
  });
}
