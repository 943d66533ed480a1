// @ts-expect-error -- the library has no types of its own
import { JSDOM as Page } from 'jsdom';
import { describe, expect, it } from 'vitest';

import { earlyFiles } from '../early-files.ts';

const source = `<!doctype html><html lang="fr-CA"><head>
    <script type="module" crossorigin src="/assets/index-1.js" nonce="{{csp_nonce}}"></script>
    <link rel="modulepreload" crossorigin href="/assets/libraries-1.js" nonce="{{csp_nonce}}">
    <link rel="stylesheet" crossorigin href="/assets/index-1.css" nonce="{{csp_nonce}}">
  </head><body><div id="root"></div></body></html>`;

const chunk = (fileName: string, name: string, ...moduleIds: string[]) => ({
  type: 'chunk',
  fileName,
  name,
  moduleIds,
  imports: fileName.includes('locations') ? ['assets/form-1.js'] : [],
  viteMetadata: { importedCss: new Set(fileName.includes('form') ? ['assets/form-1.css'] : []) },
});
const texts = ['en', 'fr', 'zh'].flatMap((language) => [
  chunk(`assets/texts-${language}-1.js`, `texts-${language}`),
  ...['locations', 'identity', 'person'].map((one) =>
    chunk(`assets/${one}-${language}.js`, one, `/locales/${language}/${one}.json`),
  ),
]);
const bundle = Object.fromEntries(
  [
    chunk('assets/locations-1.js', 'locations', '/routes/locations.tsx'),
    chunk('assets/signin-1.js', 'signin', '/routes/signin.tsx'),
    chunk('assets/form-1.js', 'form'),
    ...texts,
  ].map((one) => [one.fileName, one]),
);

interface Handler {
  transformIndexHtml: { handler: (html: string, context: object) => { html: string; tags: { children: string }[] } };
}

function built(): string {
  const { transformIndexHtml } = earlyFiles('book') as unknown as Handler;
  const { html, tags } = transformIndexHtml.handler(source, { bundle });
  return html.replace('</head>', () => `<script>${tags[0]?.children}</script></head>`);
}

/** What the built page asks for by name, its inline scripts run as if index.html had said that it is a first step. */
function asked(address: string, mark = ''): (string | null)[] {
  const html = built().replace('<html', () => `<html ${mark}`);
  const { document } = new Page(html, { url: `http://localhost:8080${address}`, runScripts: 'dangerously' }).window as {
    document: Document;
  };
  return [...document.querySelectorAll('link[rel="modulepreload"], link[rel="preload"]')].map((one) =>
    one.getAttribute('href'),
  );
}

describe('what a built page asks for beside its first script', () => {
  const ofLocations = ['/assets/locations-1.js', '/assets/form-1.js', '/assets/form-1.css', '/assets/locations-fr.js'];

  it('is the libraries and the texts of its language', () => {
    expect(asked('/')).toEqual(['/assets/libraries-1.js', '/assets/texts-fr-1.js']);
  });

  it('is what the first step needs, styles of what it imports included', () => {
    expect(asked('/locations')).toEqual(expect.arrayContaining(ofLocations));
  });

  it('is the same where a later step leads to the first one', () => {
    expect(asked('/quote', 'data-locations')).toEqual(expect.arrayContaining(ofLocations));
    expect(asked('/quote')).not.toContain('/assets/form-1.js');
  });

  it('has the styles below what can be read without them', () => {
    const html = built();
    expect(html.indexOf('rel="stylesheet"')).toBeGreaterThan(html.indexOf('<div id="root">'));
  });
});
