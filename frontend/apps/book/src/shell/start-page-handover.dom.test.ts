import { afterEach, expect, it, vi } from 'vitest';

import { goesOnWithVisit, keepFocus } from './start-page-handover.ts';

afterEach(() => {
  vi.restoreAllMocks();
  document.body.replaceChildren();
  history.replaceState(null, '', '/');
});

const cameFrom = (address: string) => vi.spyOn(document, 'referrer', 'get').mockReturnValue(address);

it.each([
  [`${location.origin}/guidelines`, true],
  ['https://search.example/', false],
  ['', false],
])('after %s it goes on with a visit: %s', (address, goesOn) => {
  cameFrom(address);
  expect(goesOnWithVisit('/callback')).toBe(goesOn);
});

it('goes on with a visit where the identity provider sends the person back', () => {
  cameFrom('https://accounts.example/');
  history.replaceState(null, '', '/callback?code=1');
  expect(goesOnWithVisit('/callback')).toBe(true);
});

const app = () => {
  const main = document.createElement('main');
  main.innerHTML = '<h1 tabindex="-1">Create your account</h1><input>';
  document.body.append(main);
};

it('leads to the heading of a page that goes on with a visit, once it is shown', () => {
  keepFocus(app, true);
  expect(document.querySelector('h1')).toHaveFocus();
});

it('leaves a visit that begins, and whoever was quicker, where they are', () => {
  keepFocus(app);
  expect(document.body).toHaveFocus();
  document.querySelector('input')?.focus();
  keepFocus(() => {}, true);
  expect(document.querySelector('input')).toHaveFocus();
});
