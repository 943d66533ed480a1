import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';

import { open, signedInAs, useDesk } from '../test/render-desk.tsx';

useDesk();

it('folds the menu of a phone with Escape, a list that is open in it first, and leads back to its button', async () => {
  signedInAs('admin');
  open('/profile');
  const button = await screen.findByRole('button', { name: 'Menu' }, { timeout: 10_000 });
  const user = userEvent.setup();
  await user.click(button);
  const languages = screen.getByRole('button', { name: /language/i });
  await user.click(languages);
  await user.keyboard('{Escape}');
  expect(languages).toHaveAttribute('aria-expanded', 'false');
  expect(button).toHaveAttribute('aria-expanded', 'true');
  await user.keyboard('{Escape}');
  expect(button).toHaveAttribute('aria-expanded', 'false');
  expect(button).toHaveFocus();
});
