import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { PluginOption } from 'vite';

const languages = ['en', 'fr', 'zh'] as const;

function textsOf(file: string): Record<string, string> {
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
}

/** A text for HTML; a build without it must not succeed. */
function escape(text: string | undefined): string {
  if (text === undefined) throw new Error('start-shell.ts names a text that the app does not have any more');
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function startPage(language: string): string {
  const start = textsOf(join(import.meta.dirname, `src/features/start/locales/${language}/start.json`));
  const wizard = textsOf(join(import.meta.dirname, `src/booking/wizard/locales/${language}/wizard.json`));
  const steps = ['locations', 'moveType', 'schedule'].map(
    (step, index) =>
      `<li><b>${index + 1}</b><span><strong>${escape(wizard[`step.${step}`])}</strong>${escape(start[`${step}.hint`])}</span></li>`,
  );
  const address = textsOf(join(import.meta.dirname, `../../packages/address/src/locales/${language}/address.json`));
  const fields = ['pickup', 'dropoff'].map(
    (end) =>
      `<label>${escape(wizard[`way.${end}`])}<input data-end="${end}" autocomplete="off" spellcheck="false" placeholder="${escape(address['search.placeholder'])}"></label>`,
  );
  return [
    `<div class="shell-start" data-language="${language}">`,
    `<h1>${escape(start['title'])}</h1><p>${escape(start['lead'])}</p>`,
    `<div class="shell-fields">${fields.join('')}</div>`,
    `<a href="/locations?lang=${language}">${escape(start['next'])}</a>`,
    `<ol>${steps.join('')}</ol></div>`,
  ].join('');
}

/** The first step asks its question before its form has arrived, and says why it is here where another one was asked for. */
function headOfLocations(language: string): string {
  const texts = textsOf(join(import.meta.dirname, `src/features/locations/locales/${language}/locations.json`));
  const wizard = textsOf(join(import.meta.dirname, `src/booking/wizard/locales/${language}/wizard.json`));
  return `<div class="shell-locations" data-language="${language}"><p class="shell-incomplete">${escape(wizard['incomplete'])}</p><h1>${escape(texts['title'])}</h1><p>${escape(texts['lead'])}</p></div>`;
}

/** The notice of a demonstration, shown where the server wrote that mode into the page. */
function demonstration(language: string): string {
  const texts = textsOf(join(import.meta.dirname, `src/shell/locales/${language}/shell.json`));
  return `<p class="shell-demo" data-language="${language}">${escape(texts['demo.banner'])}</p>`;
}

/** Fonts that people have, which stand in until ours has arrived; they are needed before the styles of the app. */
const standIn = join(import.meta.dirname, '../../packages/kit/src/styles/stand-in-font.css');

/**
 * Writes the notice of a demonstration, the start page and the head of the first step into index.html, in every language, so that it can be read before any script has arrived; the
 * app then takes its place. The words are those of the app's own texts.
 */
export function startShell(): PluginOption {
  return {
    name: 'portage-start-shell',
    transformIndexHtml: (html) => ({
      html: html
        .replace('<!-- demonstration -->', languages.map(demonstration).join('\n'))
        .replace('<!-- first pages -->', [...languages.map(startPage), ...languages.map(headOfLocations)].join('\n')),
      tags: [{ tag: 'style', children: readFileSync(standIn, 'utf8'), injectTo: 'head' }],
    }),
  };
}
