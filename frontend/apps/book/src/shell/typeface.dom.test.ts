import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { bringTypeface } from './typeface.ts';

const load = vi.fn<(font: string) => Promise<unknown[]>>();

beforeEach(() => {
  load.mockReset();
  Object.defineProperty(document, 'fonts', { value: { load }, configurable: true });
});
afterEach(() => {
  document.documentElement.removeAttribute('data-typeface');
  localStorage.clear();
});

it('changes to the typeface once its file is there, and remembers that', async () => {
  let arrive: (faces: unknown[]) => void = () => {};
  load.mockReturnValue(new Promise((resolve) => (arrive = resolve)));
  const brought = bringTypeface();
  expect(document.documentElement).not.toHaveAttribute('data-typeface');
  arrive([{}]);
  await brought;
  expect(document.documentElement).toHaveAttribute('data-typeface');
  expect(localStorage.getItem('portage.typeface')).toBe('1');
});

it('asks for nothing where index.html uses the typeface already', async () => {
  document.documentElement.setAttribute('data-typeface', '');
  await bringTypeface();
  expect(load).not.toHaveBeenCalled();
});

it('stays with the font that stands in when the file does not come, and does not say otherwise to the next page', async () => {
  for (const answer of [Promise.reject(new Error('offline')), Promise.resolve([])]) {
    load.mockReturnValue(answer);
    await bringTypeface();
    expect(document.documentElement).not.toHaveAttribute('data-typeface');
    expect(localStorage.getItem('portage.typeface')).toBeNull();
  }
});

it('changes also where the storage is switched off', async () => {
  load.mockResolvedValue([{}]);
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError');
  });
  await bringTypeface();
  vi.restoreAllMocks();
  expect(document.documentElement).toHaveAttribute('data-typeface');
});
