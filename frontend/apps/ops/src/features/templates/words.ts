import type { TemplateWords } from '@portage/api';

/** A part of a message that is typed. */
export type Part = 'subject' | 'text' | 'html';

export function wordsOf({ subject, text, html, attachment }: TemplateWords): TemplateWords {
  return { subject, text, html, attachment };
}

/** Which part a file is, by its name: `en.subject.hbs`, `welcome.txt`; HTML else. */
export function partOf(fileName: string): Part {
  if (/\.subject(\.|$)/i.test(fileName)) return 'subject';
  return /\.text(\.|$)|\.txt$/i.test(fileName) ? 'text' : 'html';
}
