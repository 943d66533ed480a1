import { expect, it } from 'vitest';

import { diffLines } from './diff.ts';

const told = (before: string, now: string) =>
  diffLines(before, now).map(({ mark, text }) => `${{ same: ' ', gone: '-', new: '+' }[mark]}${text}`);

it('keeps what is common and tells the rest apart', () => {
  expect(told('a\nb\nc\nd', 'a\nc\nx\nd')).toEqual([' a', '-b', ' c', '+x', ' d']);
  expect(told('a', 'a')).toEqual([' a']);
  expect(told('a\nb', 'b\na')).toEqual(['-a', ' b', '+a']);
  expect(told('', 'a')).toEqual(['-', '+a']);
});

it('gives both texts back', () => {
  const [before, now] = ['x\ny\nz\nz\nq', 'z\ny\nz\nw\nq\nq'];
  const lines = diffLines(before, now);
  const of = (mark: string) => lines.filter((l) => l.mark === 'same' || l.mark === mark).map((l) => l.text);
  expect(of('gone').join('\n')).toBe(before);
  expect(of('new').join('\n')).toBe(now);
});

it('does not compare for minutes', () => {
  const many = (word: string) => Array.from({ length: 2_000 }, (_, n) => `${word}${n}`).join('\n');
  expect(diffLines(many('a'), many('b'))).toHaveLength(4_000);
});
