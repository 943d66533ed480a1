// @vitest-environment node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { policyValues } from '../packages/domain/src/policy-words.ts';
import { type Language, languages } from '../packages/i18n/src/languages.ts';
import { mockFigures, mockTerms } from '../packages/mock-api/src/mock-policy.ts';
import { filesBelow, ownersOf, textsOf } from './texts.ts';
import { tableWords, templateWords, type Words } from './words.ts';

const root = join(import.meta.dirname, '..');
const fixtures = join(root, '../fixtures');
const json = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

/** A share or a window of the shipped policy in figures: a company may have others. */
const figure =
  /(?<![\d.,])(?:(?:20|80)[ \u00A0]?%|(?:24|48)[ \u00A0]?(?:h(?![\p{L}])|hours?|heures?|小时|prochaines)|(?:24|48)-hour)/iu;

/** What is no setting: how long a link works, from when on a crew sees a number, how long a status can be taken back. */
const fixed = new Set([
  'identity:changeEmail.pending',
  'myJobs:phoneLater',
  'daySheet:phoneLater',
  'texts.json transition.why.start_long_past',
  'texts.json transition.why.uncancel_window_over',
]);

const own: Words[] = ownersOf(['apps', 'packages', 'tools'].flatMap((folder) => filesBelow(root, folder))).flatMap(
  (owner) =>
    languages.flatMap((language) =>
      Object.entries(textsOf(root, owner, language)).map(([key, text]) => ({
        where: `${owner.namespace}:${key}`,
        language,
        text,
      })),
    ),
);
const served = ['messages.json', 'message-words.json', 'text-messages.json'].flatMap((file) =>
  tableWords(file, json(join(fixtures, file))),
);
const answers = tableWords('texts.json', json(join(root, '../crates/api/src/texts.json')));

it.each<[string, Words[]]>([
  ['the apps', own.filter(({ where }) => !fixed.has(where))],
  ['the server', served],
  ['the answers', answers.filter(({ where }) => !fixed.has(where))],
  ['the mails', templateWords(join(fixtures, 'templates'))],
])('no text of %s names a figure of the policy itself', (_, texts) => {
  expect(texts.length).toBeGreaterThan(20);
  const wrong = texts.filter(({ text }) => figure.test(text));
  expect(wrong.map(({ where, language, text }) => `${where} (${language}): ${text}`)).toEqual([]);
});

it.each([
  '20% of it',
  '20\u00A0% du total',
  '24 hours after',
  'les 24\u00A0h',
  '48 heures',
  '提前 48 小时',
  'les 48 prochaines',
])('finds %s', (text) => expect(figure.test(text)).toBe(true));

describe('the terms', () => {
  const texts = (language: Language) =>
    textsOf(root, { namespace: 'domain', folder: 'packages/domain/src', app: undefined }, language);
  const said = (key: string, figures: typeof mockFigures, language: Language) => {
    const values: Record<string, string> = policyValues(figures, language);
    return (texts(language)[key] ?? '').replaceAll(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
  };
  const keys = Object.keys(texts('en')).filter((key) => /^(?:term|rule\.changes)/.test(key));

  it('are the specified sentences with the shipped figures', () => {
    expect(mockTerms.map((term) => said(`term.${term}`, mockFigures, 'en'))).toEqual([
      'A deposit of 20% of the total estimate is charged 24 hours after booking and is not refundable.',
      'The remaining 80% is authorized and charged 48 hours before the move.',
      'Cancelling within 24 hours of booking and more than 48 hours before the move is free.',
      'After 24 hours, the deposit of 20% is kept as a cancellation fee.',
      'Within 48 hours of the move, the remaining 80% is charged and is not refundable.',
      'Changes made 24 hours after booking, once a mate is assigned, may cost an extra 20% of the total.',
    ]);
    expect(said('term.cancelFree', mockFigures, 'fr')).toBe(
      'L’annulation est gratuite dans les 24\u00A0h suivant la réservation, à plus de 48\u00A0h du déménagement.',
    );
    expect(said('term.deposit', mockFigures, 'fr').replaceAll(/[\u00A0\u202F]/g, ' ')).toBe(
      'Un dépôt de 20 % du total estimé est prélevé 24 heures après la réservation et n’est pas remboursable.',
    );
    expect(said('term.lockRest', mockFigures, 'zh')).toBe('搬家前 48 小时内，将收取其余 80%，恕不退还。');
  });

  it.each(languages)('name other figures in %s, and leave no place open', (language) => {
    const other = {
      ...mockFigures,
      deposit: '0.5',
      freeWindow: 1,
      lockWindow: 1,
      changeFee: '0.125',
      afterFree: '0.45',
      afterLock: '0.9',
    };
    expect(keys.length).toBe(22);
    for (const key of keys) {
      const text = said(key, other, language);
      expect(text).not.toMatch(/[{}]|1 hours|1 heures|les 1/);
      expect(text).not.toMatch(figure);
    }
    expect(said('term.fullAtOnce', other, language)).toContain(
      { en: 'the next hour', fr: 'la prochaine heure', zh: '1 小时' }[language],
    );
  });
});
