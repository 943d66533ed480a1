import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { PluginOption } from 'vite';

const languages = ['en', 'fr', 'zh'];

/** The sentence and the button for each language: those that the app itself has for a part that is missing. */
function words(): Record<string, [string, string]> {
  return Object.fromEntries(
    languages.map((language) => {
      const file = join(import.meta.dirname, `packages/frame/src/locales/${language}/frame.json`);
      const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
      const [said, again] = [texts['page.partMissing'], texts['page.loadAgain']];
      if (!said || !again) throw new Error('load-trouble.ts names a text that the apps do not have any more');
      return [language, [said, again]];
    }),
  );
}

/**
 * Runs in the page before any other script: says in words that the app could not be fetched. Nobody else would, because
 * what stands in index.html looks like a page that is still loading.
 */
export const script = (): string => `
      (function (words) {
        function say() {
          if (document.readyState === 'loading') return addEventListener('DOMContentLoaded', say);
          var root = document.getElementById('root');
          // the app has come, or it was said already
          if (!root || !root.querySelector('.shell-bar') || root.querySelector('.shell-lost')) return;
          var said = words[document.documentElement.lang.slice(0, 2)] || words.en;
          var box = document.createElement('div');
          var text = document.createElement('p');
          var button = document.createElement('button');
          box.className = 'shell-lost';
          box.setAttribute('role', 'alert');
          text.textContent = said[0];
          button.type = 'button';
          button.textContent = said[1];
          button.addEventListener('click', function () {
            // the page that comes takes what was typed on this one
            root.querySelectorAll('.shell-start input').forEach(function (field) {
              try {
                if (field.value) sessionStorage.setItem('portage.typed.' + field.getAttribute('data-end'), field.value);
              } catch (e) {}
            });
            location.reload();
          });
          box.append(text, button);
          var main = root.querySelector('main');
          if (main) main.prepend(box);
          else root.append(box);
        }
        // a file that a module imports counts as the module's own; errors of elements do not rise, they are caught
        addEventListener(
          'error',
          function (event) {
            if (event.target && event.target.type === 'module') say();
          },
          true,
        );
        addEventListener('portage:lost', say);
      })(${JSON.stringify(words()).replaceAll('<', '\\u003c')});
    `;

const style = `
      .shell-lost {
        box-sizing: border-box;
        max-width: 976px;
        margin: 0 auto;
        padding: 16px;
        color: #131b18;
        font: 430 1rem/1.5625rem 'Hanken Grotesk Variable', 'Hanken Stand-in', system-ui, sans-serif;
      }
      .shell-lost p {
        margin: 0 0 12px;
        max-width: 568px;
      }
      .shell-lost button {
        padding: 10px 24px;
        border: 0;
        border-radius: 10px;
        background: #165445;
        color: #fff;
        font: inherit;
        font-weight: 600;
        cursor: pointer;
      }
      [data-mantine-color-scheme='dark'] .shell-lost {
        color: #e9efec;
      }
      [data-mantine-color-scheme='dark'] .shell-lost button {
        background: #2a7f66;
      }
    `;

/** Writes that script and its style into index.html, right below the charset. */
export function loadTrouble(): PluginOption {
  return {
    name: 'portage-load-trouble',
    transformIndexHtml: (html) =>
      html.replace(
        /<meta charset="utf-8" \/>/,
        (charset) => `${charset}\n    <script>${script()}</script>\n    <style>${style}</style>`,
      ),
  };
}
