// @vitest-environment node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { type Language, languages } from '../packages/i18n/src/languages.ts';
import { codeOf, filesBelow, ownersOf, textsOf } from './texts.ts';
import {
  endsWide,
  faultsOf,
  rawInstantsOf,
  spacedTextsOf,
  tableWords,
  templateWords,
  type Words,
  wordsOfTemplate,
} from './words.ts';

const root = join(import.meta.dirname, '..');
const fixtures = join(root, '../fixtures');
const paths = ['apps', 'packages', 'tools'].flatMap((folder) => filesBelow(root, folder));
const json = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

const ownTexts: Words[] = ownersOf(paths).flatMap((owner) =>
  languages.flatMap((language) =>
    Object.entries(textsOf(root, owner, language)).map(([key, text]) => ({
      where: `${owner.namespace}:${key}`,
      language,
      text,
    })),
  ),
);
const mails = templateWords(join(fixtures, 'templates'));
const messages = ['messages.json', 'message-words.json'].flatMap((file) =>
  tableWords(file, json(join(fixtures, file))),
);
const answers = tableWords('texts.json', json(join(root, '../crates/api/src/texts.json')));
const subjects = tableWords('templates.json', json(join(fixtures, 'templates/templates.json'))).map((one) => ({
  ...one,
  text: one.text.replaceAll(/\{\{[#/][^}]*\}\}|\{\{else\}\}/g, '').replaceAll(/\{\{(\w+)\}\}/g, '{$1}'),
}));

it('reads the texts of the apps, of the mails, of the messages and of the answers', () => {
  expect(ownTexts.length).toBeGreaterThan(1500);
  expect(mails.length).toBeGreaterThan(300);
  expect(messages.length).toBeGreaterThan(200);
  expect(answers.length).toBeGreaterThan(1500);
  expect(subjects.length).toBeGreaterThan(90);
  for (const language of languages)
    for (const list of [ownTexts, mails, messages, answers, subjects])
      expect(list.some((one) => one.language === language)).toBe(true);
});

it.each([
  ['the apps', ownTexts],
  ['the mails', mails],
  ['the messages', messages],
  ['the answers of the server', answers],
  ['the subjects', subjects],
])('finds no fault of writing in the texts of %s', (_, texts) => {
  expect(texts.flatMap(faultsOf)).toEqual([]);
});

describe('a fault of writing is found', () => {
  it.each<[Language, string]>([
    ['en', 'Incomplete pickup details: Choose an address from the list.'],
    ['en', 'Discount -$35.00'],
    ['en', '10 % of {amount}'],
    ['en', 'Sunday +{percent}\u00A0%'],
    ['fr', 'Détails du lieu d’arrivée incomplets\u00A0: Choisissez une adresse dans la liste.'],
    ['fr', 'Paiement: comment ça marche'],
    ['fr', 'Paiement : comment ça marche'],
    ['fr', 'Des questions ?'],
    ['fr', 'Un dépôt de 20 %'],
    ['fr', 'Pas d’ascenseur'],
    ['fr', '{hours} h {minutes}'],
    ['fr', 'Revenir au devis'],
    ['fr', 'Votre adresse de courriel'],
    ['fr', 'L’heure {time} vous est réservée.'],
    ['fr', 'Choisissez un jour et une heure de départ.'],
    ['fr', 'Nombre de déménageurs'],
    ['fr', "L'annulation est gratuite."],
    ['zh', '{moveDate}, {moveTime}'],
    ['zh', '搬家团队:三人'],
    ['zh', '{moveTime} （{moveTimeZone}）'],
    ['zh', '搬入地址， 请填写'],
    ['zh', '门牌号(选填)'],
    ['zh', '0 层'],
    ['zh', '搬运工人数'],
    ['zh', '没有登记工人'],
    ['zh', '艾伯塔省'],
    ['zh', '您可以在 {freeCancellationUntil} 之前免费取消。'],
    ['zh', '您可在 {until} 之前答复。'],
    ['zh', '提前 {sooner} 完成。'],
    ['zh', '现将 {invoiceDate} 的发票发送给您。'],
    ['zh', '最少按 2 小时 计费。'],
    ['zh', '已为您保留 {time}。'],
    ['zh', '自{when}起保留 {amount}'],
    ['zh', '工作人员将前往您填写的地址。'],
    ['zh', '班组的记录'],
    ['zh', '网上可预订的最大团队'],
    ['zh', '团队已出发'],
    ['zh', '往返车场路程费'],
    ['zh', '{chargedAt} · 尾号 {cardLast4} 的银行卡'],
  ])('%s: %s', (language, text) => expect(faultsOf({ where: 'here', language, text })).toHaveLength(1));

  it.each<[Language, string]>([
    ['en', 'Demonstration: no real card is charged.'],
    ['fr', 'Les aidants sont nos déménageurs.'],
    ['fr', 'Des déménageurs à prix fixe'],
    ['zh', '帮手即我们的搬运工。'],
    ['zh', '搬家团队已出发。客服团队和运营团队的团队成员。'],
    ['fr', 'Détails incomplets\u00A0: choisissez une adresse. À 14\u00A0h\u00A031, voir https://exemple.com'],
    ['fr', '«\u00A0{words}\u00A0»'],
    ['zh', '2026年11月26日 9:00（蒙特利尔时间），最多 2,000 个字符。'],
  ])('and none in %s: %s', (language, text) => expect(faultsOf({ where: 'here', language, text })).toEqual([]));
});

it('gives the way from and to the depot one Chinese name, on the page and in what is sent', () => {
  const page = ownTexts.find(({ where, language }) => where === 'domain:lineCode.travel_fee' && language === 'zh');
  expect(page?.text).toMatch(/往返/);
  const server = readFileSync(join(root, '../crates/domain/pricing/src/describe.rs'), 'utf8');
  expect(server).toContain(`"${page?.text}"`);
  expect(server).not.toMatch(/班组|(?<!搬家)团队/u);
});

it('reads the words of a template without its tags', () => {
  expect(
    wordsOfTemplate(
      '<p>Prêt le {{when}}</p>{{#if x}}<td style="a:b">Dépôt</td>{{/if}}{{> row label="Solde" value=total}}',
    ),
  ).toEqual(['Prêt le {when}', 'Dépôt', 'Solde']);
});

describe('a text that goes on after a space in code', () => {
  const chinese = (key: string, namespaces: Iterable<string>) =>
    ownTexts.filter(
      ({ where, language }) =>
        language === 'zh' && (where === key || [...namespaces].some((namespace) => where === `${namespace}:${key}`)),
    );

  it('does not end with full-width punctuation in Chinese', () => {
    const wrong = codeOf(root, paths).flatMap(({ path, text, namespaces }) =>
      spacedTextsOf(text)
        .flatMap((key) => chinese(key, namespaces))
        // in a row of boxes the space is not drawn, only read out
        .filter((one) => endsWide(one.text) && one.where !== 'desk:filters.chipLabel')
        .map((one) => `${path}: ${one.where} “${one.text}”: make it one text with parameters, or let styles part them`),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    "<strong>{t('bookings:comments')}</strong> {booking.comments}",
    "{t('payments.paid')} <Money value={paid} />",
    "{t('start:credit')}{' '}",
  ])('is found in %s', (text) => expect(spacedTextsOf(text)).toHaveLength(1));
});

describe('an instant', () => {
  it('is shown by no code as the API sends it', () => {
    const raw = codeOf(root, paths).flatMap(({ path, text }) =>
      rawInstantsOf(text).map((found) => `${path}: ${found}`),
    );
    expect(raw).toEqual([]);
  });

  it.each([
    "t('cancelled.at', { when: booking.cancelledAt })",
    "t('policy.until', { amount, until: window.until })",
    '<dd>{booking.startsAt}</dd>',
  ])('is found in %s', (text) => expect(rawInstantsOf(text)).toHaveLength(1));

  it.each([
    "t('cancelled.at', { when: when(booking.cancelledAt) })",
    '<StartTime startsAt={booking.startsAt} />',
    '<time dateTime={booking.startsAt}>{day}</time>',
  ])('is written for people in %s', (text) => expect(rawInstantsOf(text)).toEqual([]));
});
