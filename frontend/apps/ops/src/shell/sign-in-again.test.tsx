import { KitProvider } from '@portage/kit';
import { createEvent, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';

import { useDesk } from '../test/render-desk.tsx';
import { emailIn } from './expected-email.ts';
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

it('tells the window that it opens who is to sign in, and no server', () => {
  cover();
  const link = screen.getByRole<HTMLAnchorElement>('link', { hidden: true });
  expect(new URL(link.href).search).toBe('');
  expect(emailIn(new URL(link.href).hash)).toBe('ana@example.test');
});

it('gives the focus back to a button as soon as it can be pressed again', async () => {
  const page = (over: boolean, ready: boolean) => (
    <KitProvider test>
      <button type="button" disabled={!ready}>
        Save
      </button>
      {over ? <SignInAgain email="ana@example.test" stranger={false} onDrop={() => {}} /> : null}
    </KitProvider>
  );
  const { rerender } = render(page(false, true));
  const save = screen.getByRole('button', { name: 'Save' });
  save.focus();
  // what the button goes by was dropped with the session
  rerender(page(true, false));
  screen.getByRole('link', { hidden: true }).focus();
  rerender(page(false, false));
  expect(document.body).toHaveFocus();
  rerender(page(false, true));
  await waitFor(() => expect(save).toHaveFocus());
});
