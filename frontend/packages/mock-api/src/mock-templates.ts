import type { TemplateRecord, TemplateWords } from '@portage/api';
import { http, HttpResponse } from 'msw';

import { problem } from './mock-account.ts';

const shippedWords: TemplateWords = {
  subject: 'Welcome to {{companyName}}',
  text: 'Hello {{customerFirstName}}\n{{loginUrl}}\n',
  html: '<p>Hello {{customerFirstName}}</p>\n<p><a href="{{loginUrl}}">Account</a></p>\n',
  attachment: false,
};
const keys = ['loginUrl', 'customerFirstName', 'companyName'];

interface Saved {
  version: number;
  changedAt: string;
  /** None: the shipped words count again. */
  words: TemplateWords | null;
}

/** What was saved of the one message that these answers know, in each language. */
export interface Templates {
  saved: Record<string, Saved[]>;
  /** To whom messages were tried out. */
  tried: number;
}

export function freshTemplates(): Templates {
  return { saved: { en: [], fr: [], zh: [] }, tried: 0 };
}

const keysIn = (words: TemplateWords) =>
  [...`${words.subject}${words.text}${words.html}`.matchAll(/\{\{([A-Za-z]+)\}\}/g)].map((found) => found[1] ?? '');
const unknownIn = (words: TemplateWords) => keysIn(words).filter((key) => !keys.includes(key));
const filled = (text: string) =>
  text.replaceAll('{{customerFirstName}}', 'Camille').replaceAll('{{companyName}}', 'Portage');

function recordOf(templates: Templates, language: string): TemplateRecord {
  const last = templates.saved[language]?.at(-1);
  const words = last?.words ?? shippedWords;
  return {
    messageType: 'welcome',
    channel: 'email',
    commercial: false,
    language: language as TemplateRecord['language'],
    origin: last?.words ? 'changed' : language === 'zh' ? 'missing' : 'shipped',
    version: last?.version ?? 0,
    canAttach: false,
    document: null,
    aboutBooking: false,
    changedAt: last?.changedAt ?? null,
    changedBy: last ? 'Ana Roy' : null,
    ...words,
    keys,
    blocks: [],
    unsupportedKeys: unknownIn(words),
  };
}

const textWords = 'Reminder: your move is on {{date}}.';

/** A text in English, as it was shipped: who saves another one is answered with it, and nothing is kept. */
function textRecord(text: string, version: number): TemplateRecord {
  return {
    messageType: 'sms-moveReminder',
    channel: 'sms',
    commercial: false,
    language: 'en',
    origin: version === 0 ? 'shipped' : 'changed',
    version,
    canAttach: false,
    document: null,
    aboutBooking: true,
    changedAt: null,
    changedBy: null,
    subject: '',
    text,
    html: '',
    attachment: false,
    keys: ['date', 'time_range', 'customer_name'],
    blocks: [],
    unsupportedKeys: [],
  };
}

function textHandlers(templates: Templates, note: (request: Request) => Promise<void>) {
  const path = '*/api/templates/sms-moveReminder/en';
  return [
    http.get(path, () => HttpResponse.json(textRecord(textWords, 0))),
    http.put(path, async ({ request }) => {
      await note(request);
      const { text } = (await request.json()) as TemplateWords;
      return HttpResponse.json(textRecord(text, 1));
    }),
    http.get(`${path}/versions`, () => HttpResponse.json({ data: [] })),
    http.post(`${path}/preview`, async ({ request }) => {
      const { text = textWords } = (await request.json()) as Partial<TemplateWords>;
      const said = text.replaceAll('{{date}}', 'March 18, 2027');
      const long = /[ê\u4E00-\u9FFF]/.test(said);
      return HttpResponse.json({
        subject: '',
        text: said,
        html: '',
        unsupportedKeys: [],
        isSample: true,
        segments: { encoding: long ? 'ucs2' : 'gsm7', units: said.length, parts: long ? 2 : 1 },
      });
    }),
    http.post(`${path}/test`, async ({ request }) => {
      await note(request);
      templates.tried += 1;
      return HttpResponse.json({ recipient: '+15145550101' });
    }),
  ];
}

/** The calls of messages and their words. */
export function templateHandlers(templates: Templates, note: (request: Request) => Promise<void>) {
  const save = (language: string, words: TemplateWords | null) => {
    const all = templates.saved[language] ?? [];
    all.push({ version: all.length + 1, changedAt: '2027-02-03T15:00:00Z', words });
    templates.saved[language] = all;
    return HttpResponse.json(recordOf(templates, language));
  };
  const path = '*/api/templates/welcome/:language';
  return [
    ...textHandlers(templates, note),
    http.get('*/api/templates', () =>
      HttpResponse.json({ data: ['en', 'fr', 'zh'].map((language) => recordOf(templates, language)) }),
    ),
    http.get(path, ({ params }) => HttpResponse.json(recordOf(templates, String(params['language'])))),
    http.put(path, async ({ request, params }) => {
      await note(request);
      const { force, ...words } = (await request.json()) as TemplateWords & { force: boolean };
      const unknown = unknownIn(words);
      if (unknown.length > 0 && !force)
        return problem(422, 'template_unsupported_keys', 'Unknown keys.', { keys: unknown });
      return save(String(params['language']), words);
    }),
    http.delete(path, async ({ request, params }) => {
      await note(request);
      return save(String(params['language']), null);
    }),
    http.get(`${path}/versions`, ({ params }) => {
      const all = templates.saved[String(params['language'])] ?? [];
      const told = all.map(({ version, changedAt, words }) => ({
        version,
        isStored: words !== null,
        changedAt,
        changedBy: 'Ana Roy',
      }));
      return HttpResponse.json({
        data: [...told.toReversed(), { version: 0, isStored: false, changedAt: null, changedBy: null }],
      });
    }),
    http.get(`${path}/version`, ({ request, params }) => {
      const number = Number(new URL(request.url).searchParams.get('number'));
      const found = templates.saved[String(params['language'])]?.find(({ version }) => version === number);
      return HttpResponse.json(found?.words ?? shippedWords);
    }),
    http.post(`${path}/preview`, async ({ request }) => {
      const words = (await request.json()) as TemplateWords;
      return HttpResponse.json({
        subject: filled(words.subject),
        text: filled(words.text),
        html: filled(words.html),
        unsupportedKeys: unknownIn(words),
        isSample: true,
        segments: null,
      });
    }),
    http.post(`${path}/test`, async ({ request }) => {
      await note(request);
      templates.tried += 1;
      return HttpResponse.json({ recipient: 'ana@example.test' });
    }),
  ];
}
