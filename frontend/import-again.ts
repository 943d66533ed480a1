import type { Plugin } from 'vite';

/** `import()` of one of our own files, as the build writes it. */
const ownImport = /\bimport\((`\.\/[^`]+`|"\.\/[^"]+")\)/g;

/**
 * Makes each `import()` of a chunk ask a second time, by another address, when the first one fails. A browser may keep what
 * it could not load for as long as the page is open (WebKit does, as the standard has it): asked for by the same address it
 * is refused without a request, however often somebody presses "Try again". What a failed file imports itself is only
 * fetched anew with the whole page.
 */
export function askAgain(code: string): string {
  const asked = code.replaceAll(ownImport, '__again($1)');
  if (asked === code) return code;
  return `var __again=u=>import(u).catch(e=>import(u+"?again="+Math.random()).catch(()=>{throw e}));${asked}`;
}

export function importAgain(): Plugin {
  return {
    name: 'portage-import-again',
    apply: 'build',
    // after Vite has written beside each import what is to be loaded with it
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = askAgain(file.code);
      },
    },
  };
}
