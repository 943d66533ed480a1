import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import type { Language } from '../packages/i18n/src/languages.ts';

/** One text of one language, with the place it was read from. */
export interface Words {
  where: string;
  language: Language;
  text: string;
}

const nbsp = '\u00A0';
/** Punctuation as wide as a Chinese character, which brings its own space along. */
const wide = '，。：；！？（）、“”…';

/** A fault of writing: what a text must not match, and what to write instead. */
interface Fault {
  shape: RegExp;
  say: string;
}

const faults: Record<Language, Fault[]> = {
  en: [
    { shape: /:\s\p{Lu}\p{Ll}+\s\p{Ll}/u, say: 'a sentence after a colon: end the first one with a full stop' },
    { shape: /(?:^|[\s(])-(?=[\d$])/, say: 'a hyphen for minus: write −' },
    { shape: /[\d}]\s%/u, say: 'a space before %: English writes 10%' },
  ],
  fr: [
    // a time of day, an address of the web and a placeholder that is an address have none
    { shape: /[^\s\u00A0]:(?![\d/])/u, say: 'a colon without the no-break space before it' },
    { shape: /[\t\n ][:%$»]|«[^\u00A0]/u, say: 'an ordinary space, or none, where a no-break space belongs' },
    { shape: /[\s\u00A0\u202F][;!?]/u, say: 'a space before ; ! or ?: Quebec writes none' },
    {
      shape: new RegExp(`${nbsp}: ?\\p{Lu}\\p{Ll}+ \\p{Ll}`, 'u'),
      say: 'a capital after a colon: go on in lower case, or end the sentence',
    },
    { shape: /\p{L}'\p{L}/u, say: 'a straight apostrophe: write ’' },
    {
      shape: /\d (?=h\b|km\b|\d{3}\b)|\} (?=h\b)/u,
      say: 'a number that can be cut off from its unit or its thousands',
    },
    { shape: /(?:^|[\s(])-(?=[\d$])/, say: 'a hyphen for minus: write −' },
    { shape: /\bpas d’ascenseur/iu, say: 'elsewhere it is “Sans ascenseur”' },
    // what we are called before anybody knows our word, and where that word is explained
    { shape: /(?<!sont nos )déménageurs?\b(?! à prix fixe)/iu, say: 'a mate is “aidant” everywhere' },
    { shape: /\bdevis\b/iu, say: 'a quote is “soumission” everywhere' },
    { shape: /adresses? de courriel|adresses? e-mail/iu, say: 'elsewhere it is “adresse courriel”' },
    { shape: /l’heure \{/iu, say: 'a time after “l’heure”: “votre début à {time}”' },
    { shape: /heures? de départ/iu, say: 'départ is the pickup: “heure de début”' },
  ],
  zh: [
    {
      // after a character, a closing quotation mark or a value; a number keeps its comma and its colon
      shape: /[\p{Script=Han}\p{Extended_Pictographic}”}][,:;!?](?!\d)|[\p{Script=Han}}] ?\(|\)(?=\p{Script=Han})/u,
      say: 'half-width punctuation: write ，：；！？（）',
    },
    { shape: /\p{Script=Han}\.(?!\w)/u, say: 'a Western full stop: write 。' },
    { shape: new RegExp(`[${wide}] | [${wide}]`, 'u'), say: 'a space beside full-width punctuation' },
    { shape: /(?:^|[\s（])-(?=[\d$])/, say: 'a hyphen for minus: write −' },
    { shape: /(?<!我们的)搬运工|搬家工|工人/u, say: 'a mate is 帮手 everywhere' },
    { shape: /艾伯塔/u, say: 'Alberta is 阿尔伯塔, as in the service areas' },
    {
      // 客服团队, 运营团队 and 团队成员 are people of the company
      shape: /您的帮手\b|工作人员|班组|(?<!搬家|运营|客服|我们的)团队(?!成员|名单|邀请)/u,
      say: 'the crew is 搬家团队 everywhere',
    },
    { shape: /车场/u, say: 'the depot is 仓库 everywhere' },
    { shape: /\{\w+At\} [^\p{Script=Han}]|\{moveKind\} /u, say: 'a space after a value that ends with a bracket' },
    {
      shape:
        /\{(?:when|day|date|at|deadline|period(?:Start|End)|\w+(?:At|Date|Until|Deadline))\} \p{Script=Han}|\{until\} 之前/u,
      say: 'a space after a date, which ends with a character or a bracket',
    },
    {
      shape: /\{(?:sooner|\w*duration)\} \p{Script=Han}/iu,
      say: 'a space after a length of time, which ends with a character',
    },
    { shape: /\p{Script=Han} \p{Script=Han}/u, say: 'a space between two Chinese characters' },
    { shape: /保留\{time\} |保留 \{time\}/u, say: 'a space before a day and its time' },
    { shape: /保留 ?(?:\{amount\}|CA\$)/u, say: 'money is kept back: 扣留' },
    { shape: /(?<!\d)0 ?层/u, say: 'floor 0 is 底层' },
  ],
};

/** What is wrong with the writing of a text, in words that say what to do; empty when nothing is. */
export function faultsOf({ where, language, text }: Words): string[] {
  return faults[language].flatMap(({ shape, say }) => {
    const found = shape.exec(text);
    return found ? [`${where} (${language}): ${say}: “${text.trim().slice(0, 90)}”`] : [];
  });
}

/** The words of a mail template, one line each: without tags, conditions and styles, values as placeholders. */
export function wordsOfTemplate(source: string): string[] {
  return source
    .replaceAll(/<style>[\s\S]*?<\/style>/g, '')
    .replaceAll(/\{\{[#/][^}]*\}\}/g, '')
    .replaceAll(/\{\{> *[^\s}]+([^}]*)\}\}/g, (_, given: string) =>
      [...given.matchAll(/"([^"]*)"/g)].map((match) => match[1]).join('\n'),
    )
    .replaceAll(/\{\{\{?(\w+)\}?\}\}/g, '{$1}')
    .replaceAll(/<\/?(?:strong|span|a|b|em)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, '\n')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /[\p{L}]/u.test(line));
}

/** The words of every mail template below `folder`. Partials name their language, or serve all of them. */
export function templateWords(folder: string): Words[] {
  const languages: readonly Language[] = ['en', 'fr', 'zh'];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.hbs'))
    .flatMap((path) => {
      const own = languages.filter((language) => new RegExp(`[/_]${language}\\.`).test(`/${path}`));
      const lines = wordsOfTemplate(readFileSync(join(folder, path), 'utf8'));
      return (own.length > 0 ? own : languages).flatMap((language) =>
        lines.map((text) => ({ where: relative(folder, join(folder, path)), language, text })),
      );
    });
}

/** The words of a table of messages: `{ "key": { "en": "…", "fr": "…", "zh": "…" } }`, or a list of such rows with a key. */
export function tableWords(where: string, table: unknown): Words[] {
  const rows = Object.entries(table as Record<string, unknown>);
  return rows.flatMap(([key, row]) => {
    if (typeof row !== 'object' || row === null) return [];
    const { en, fr, zh } = row as Partial<Record<Language, unknown>>;
    const given = Object.entries({ en, fr, zh }).filter(
      (pair): pair is [Language, string] => typeof pair[1] === 'string',
    );
    return given.length > 0
      ? given.map(([language, text]) => ({ where: `${where} ${key}`, language, text }))
      : tableWords(where, row);
  });
}

/** A text and what follows it after a space that the code puts in: a key, with its namespace or bare. */
const spacedTexts = /\{t\('([^']+)'[^{}]*(?:\{[^{}]*\})?\)\}(?:<\/\w+>)?(?:\{' '\}| (?=[<{]))/g;

/** Keys of the texts that code continues after a space. In Chinese such a text must not end with full-width punctuation. */
export function spacedTextsOf(code: string): string[] {
  return [...code.matchAll(spacedTexts)].flatMap(([, key]) => key ?? []);
}

/** Whether a text ends with punctuation that brings its own space along. */
export const endsWide = (text: string): boolean => wide.includes(text.at(-1) ?? ' ');

/** Shapes of code that show an instant as the API sends it, `2026-11-21T20:44:47Z`. */
const instant = String.raw`[\w.?!]*\.(?:\w+At|until|from|deadline)`;
const rawInstants = [
  // as a value of a text
  new RegExp(String.raw`\bt\('[^']+', \{(?:[^{}]*,)? *\w+: ${instant}\b *[,}]`),
  // as the words of an element
  new RegExp(String.raw`>\s*\{${instant}\}\s*<`),
];

/** What code shows of an instant without the clock and the language of the person. */
export function rawInstantsOf(text: string): string[] {
  return rawInstants.flatMap((shape) => shape.exec(text)?.[0] ?? []);
}
