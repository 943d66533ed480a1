import { changeLanguage, type Language, startI18n } from '@portage/i18n';
import { act, renderHook } from '@testing-library/react';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { useFloorText } from './access.ts';
import { useDurationText } from './duration.ts';
import './texts.ts';

beforeAll(async () => {
  await startI18n(['domain']);
});
afterAll(() => changeLanguage('en'));

const spaces = (text: string) => text.replaceAll('\u00A0', ' ');

it.each<[Language, string, string, string]>([
  ['en', '4 h 30 min', '7 h 5 min', 'Ground floor'],
  ['fr', '4 h 30', '7 h 05', 'Rez-de-chaussée'],
  ['zh', '4 小时 30 分钟', '7 小时 5 分钟', '底层'],
])('%s writes durations as %s and %s, and floor 0 as %s', async (language, half, early, ground) => {
  await act(() => changeLanguage(language));
  const { result } = renderHook(() => ({ duration: useDurationText(), floor: useFloorText() }));
  expect(spaces(result.current.duration(270))).toBe(half);
  expect(spaces(result.current.duration(425))).toBe(early);
  expect(result.current.floor(0)).toBe(ground);
});
