import { expect, it } from 'vitest';

import { cityName } from './city-name.ts';

it('says the cities of our hubs in Chinese, and leaves every other name', () => {
  expect(cityName('Montréal', 'zh')).toBe('蒙特利尔');
  expect(cityName('Montreal', 'zh')).toBe('蒙特利尔');
  expect(cityName('Vancouver', 'zh')).toBe('温哥华');
  expect(cityName('North Vancouver', 'zh')).toBe('North Vancouver');
  expect(cityName('Vancouver', 'fr')).toBe('Vancouver');
});
