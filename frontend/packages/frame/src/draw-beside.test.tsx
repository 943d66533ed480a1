import { afterEach, expect, it } from 'vitest';

import { drawBeside, takePlace } from './draw-beside.tsx';

afterEach(() => document.body.replaceChildren());

it('leaves the page that is shown alone until the app is drawn, and then stands in its place under its name', async () => {
  document.body.innerHTML = '<div id="root"><a href="/next">Next</a></div><script></script>';
  const shown = document.getElementById('root');
  if (!shown) throw new Error('no root');
  const drawing = drawBeside(shown, <h1>The app</h1>);
  expect(document.body).toHaveTextContent('Next');
  const drawn = await drawing;
  expect(drawn).toHaveTextContent('The app');
  expect(drawn).not.toBeVisible();
  expect(shown).toBeVisible();
  takePlace(shown, drawn);
  expect(document.getElementById('root')).toBe(drawn);
  expect(drawn).toBeVisible();
  expect(document.body).not.toHaveTextContent('Next');
});
