import { KitProvider } from '@portage/kit';
import { createEvent, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';

import { useDesk } from '../test/render-desk.tsx';
import { useKeys } from './keys.ts';
import { SignInAgain } from './sign-in-again.tsx';

useDesk();

function Behind({ onN }: { onN: () => void }) {
  useKeys({ n: onN });
  return <input aria-label="Note" />;
}

function cover({ onN = () => {} } = {}) {
  const page = (over: boolean) => (
    <KitProvider test>
      <Behind onN={onN} />
      {over ? <SignInAgain email="ana@example.test" stranger={false} onDrop={() => {}} /> : null}
    </KitProvider>
  );
  const { rerender } = render(page(true));
  const dialog = screen.getByRole<HTMLDialogElement>('alertdialog', {
    name: 'Your session has ended. What you typed is kept',
  });
  return { dialog, uncover: () => rerender(page(false)) };
}

it('is not closed by Escape, nor by an engine that closes it all the same', () => {
  const { dialog } = cover();
  const escape = createEvent.keyDown(dialog, { key: 'Escape' });
  fireEvent(dialog, escape);
  expect(escape.defaultPrevented).toBe(true);
  const cancel = new Event('cancel', { cancelable: true });
  fireEvent(dialog, cancel);
  expect(cancel.defaultPrevented).toBe(true);
  dialog.close();
  fireEvent(dialog, new Event('close'));
  expect(dialog.open).toBe(true);
});

it('keeps the keys of the page behind from being heard', async () => {
  const onN = vi.fn();
  const { uncover } = cover({ onN });
  await userEvent.keyboard('n');
  expect(onN).not.toHaveBeenCalled();
  uncover();
  await userEvent.keyboard('n');
  expect(onN).toHaveBeenCalledOnce();
});

it('is closed before it goes, so that the browser gives the focus back', () => {
  const close = vi.spyOn(HTMLDialogElement.prototype, 'close');
  const { dialog, uncover } = cover();
  let there: boolean | null = null;
  close.mockImplementation(() => {
    there = document.contains(dialog);
  });
  uncover();
  expect(there).toBe(true);
  close.mockRestore();
});
