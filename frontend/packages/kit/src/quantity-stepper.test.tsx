import { startI18n } from '@portage/i18n';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeAll, expect, it } from 'vitest';

import { KitProvider } from './provider.tsx';
import { QuantityStepper } from './quantity-stepper.tsx';
import './texts.ts';

beforeAll(() => startI18n(['kit']));

const corrected = /Whole numbers/;

function Mates() {
  const [value, setValue] = useState(2);
  return <QuantityStepper label="Mates" value={value} min={1} max={6} onChange={setValue} />;
}

it.each([
  ['50', '6', '“50” became 6. Whole numbers from 1 to 6 are possible.'],
  ['2.7', '2', '“2.7” became 2. Whole numbers from 1 to 6 are possible.'],
  ['two', '2', '“two” became 2. Whole numbers from 1 to 6 are possible.'],
  ['-3', '1', '“-3” became 1. Whole numbers from 1 to 6 are possible.'],
  ['5', '5', ''],
  ['', '2', ''],
])('makes of a typed %j the count %s, and never without a word', async (typed, count, said) => {
  const user = userEvent.setup();
  render(
    <KitProvider>
      <Mates />
    </KitProvider>,
  );
  const field = screen.getByRole('textbox', { name: 'Mates' });
  await user.clear(field);
  if (typed) await user.type(field, typed);
  await user.tab();
  expect(field).toHaveValue(count);
  if (said) expect(screen.getByRole('group', { name: 'Mates' })).toHaveTextContent(said);
  else expect(screen.queryByText(corrected)).toBeNull();
  expect(screen.getByTestId('announcer').textContent).toBe(said);
});

it('takes the word back with the next count', async () => {
  const user = userEvent.setup();
  render(
    <KitProvider>
      <Mates />
    </KitProvider>,
  );
  const field = screen.getByRole('textbox', { name: 'Mates' });
  await user.type(field, '{Control>}a{/Control}50{Enter}');
  expect(screen.getByRole('group', { name: 'Mates' })).toHaveTextContent(corrected);
  await user.click(screen.getByRole('button', { name: 'One less: Mates' }));
  expect(field).toHaveValue('5');
  expect(screen.getByRole('group', { name: 'Mates' })).not.toHaveTextContent(corrected);
});

it('keeps the focus when a button has come to its end', async () => {
  const user = userEvent.setup();
  render(
    <KitProvider>
      <Mates />
    </KitProvider>,
  );
  const less = screen.getByRole('button', { name: 'One less: Mates' });
  const more = screen.getByRole('button', { name: 'One more: Mates' });
  less.focus();
  await user.keyboard('{Enter}');
  expect(less).toBeDisabled();
  expect(more).toHaveFocus();
  await user.keyboard('{Enter}{Enter}{Enter}{Enter}{Enter}');
  expect(more).toBeDisabled();
  expect(less).toHaveFocus();
});
