import { expect, it } from 'vitest';

import { shortNames } from './crew.tsx';
import { shortEnds } from './where.tsx';

it('says streets as dispatchers do', () => {
  for (const [street, short] of [
    ['3950 Rue Saint-Denis', 'Saint-Denis'],
    ['900 Avenue du Mont-Royal Est', 'Mont-Royal E'],
    ['1350 Rue Sainte-Catherine Ouest', 'Sainte-Catherine O'],
    ['12 Rue de la Montagne', 'Montagne'],
    ['5 Rue de l’Église', 'Église'],
    ['120 King Street West', 'King St W'],
    ['900 West Georgia Street', 'West Georgia St'],
    ['Laval', 'Laval'],
    ['Rue', 'Rue'],
  ])
    expect(shortEnds(street ?? '', 'Elsewhere')[0]).toBe(short);
});

it('keeps the numbers of two ends in one street', () => {
  expect(shortEnds('12 Rue Peel', '900 Rue Peel')).toEqual(['12 Rue Peel', '900 Rue Peel']);
});

it('says given names, and tells two of the same apart', () => {
  expect(shortNames(['Liam MacDonald', 'Mei Lin'])).toEqual(['Liam', 'Mei']);
  expect(shortNames(['Liam MacDonald', 'Liam Roy', '李娜'])).toEqual(['Liam M.', 'Liam R.', '李娜']);
});
