import { act, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';

import { announce } from './announce.tsx';
import { KitProvider } from './provider.tsx';

const spoken = () => screen.getByTestId('announcer').firstElementChild;

it('says a sentence with the change that caused it, and a repeated sentence again', () => {
  render(<KitProvider>{null}</KitProvider>);
  act(() => announce('3 selected'));
  const first = spoken();
  expect(first).toHaveTextContent('3 selected');
  act(() => announce('3 selected'));
  expect(spoken()).toHaveTextContent('3 selected');
  expect(spoken()).not.toBe(first);
});
