import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { KitProvider } from '../../provider.tsx';
import { useTexts } from '../test/render-desk.tsx';
import { createToasts, type Toast, type ToastStore } from './toast-store.ts';
import { Toasts } from './toasts.tsx';

useTexts();
let store: ToastStore;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  store = createToasts();
  render(
    <KitProvider test>
      <button type="button">Page</button>
      <Toasts store={store} />
    </KitProvider>,
  );
});
afterEach(() => vi.useRealTimers());

const show = (toast: Toast) => {
  act(() => {
    store.show(toast);
  });
};
const pass = (seconds: number) => {
  act(() => {
    vi.advanceTimersByTime(seconds * 1000);
  });
};
const region = () => screen.getByRole('region', { name: 'Messages (F8)' });
const texts = () => [...region().querySelectorAll('li')].map((one) => one.textContent);

it('is a live region before anything is in it', () => {
  expect(within(region()).getByRole('list')).toHaveAttribute('aria-live', 'polite');
  show({ text: 'Saved' });
  expect(texts()).toEqual(['Saved']);
});

it('goes after six seconds, after ten with a way back, and says why it went', () => {
  const onGone = vi.fn();
  show({ text: 'Saved' });
  show({ text: 'Assigned', action: { label: 'Undo', onAct: () => {} }, onGone });
  pass(5.9);
  expect(texts()).toHaveLength(2);
  pass(0.2);
  expect(texts()).toEqual(['AssignedUndo']);
  pass(4);
  expect(texts()).toEqual([]);
  expect(onGone).toHaveBeenCalledExactlyOnceWith('time');
});

it('stands still while the pointer is over it, and goes on with the time that was left', () => {
  show({ text: 'Saved' });
  pass(4);
  fireEvent.pointerEnter(region());
  pass(60);
  expect(texts()).toEqual(['Saved']);
  fireEvent.pointerLeave(region());
  pass(1.9);
  expect(texts()).toEqual(['Saved']);
  pass(0.2);
  expect(texts()).toEqual([]);
});

it('stands still while the focus is in it, or the tab is hidden', () => {
  show({ text: 'Saved' });
  act(() => screen.getByRole('button', { name: 'Close this message' }).focus());
  pass(60);
  expect(texts()).toEqual(['Saved']);
  act(() => screen.getByRole('button', { name: 'Page' }).focus());
  const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  act(() => {
    document.dispatchEvent(new Event('visibilitychange'));
  });
  pass(60);
  expect(texts()).toEqual(['Saved']);
  hidden.mockRestore();
  act(() => {
    document.dispatchEvent(new Event('visibilitychange'));
  });
  pass(6.1);
  expect(texts()).toEqual([]);
});

it('acts once, and is gone', () => {
  const onAct = vi.fn();
  const onGone = vi.fn();
  show({ text: 'Assigned', action: { label: 'Undo', onAct }, onGone });
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  pass(60);
  expect(onAct).toHaveBeenCalledOnce();
  expect(onGone).toHaveBeenCalledExactlyOnceWith('acted');
});

it('keeps a problem until somebody closes it', () => {
  show({ tone: 'problem', text: 'Card refused', action: { label: 'Open', onAct: () => {} } });
  pass(3600);
  expect(texts()).toEqual(['Card refusedOpen']);
  fireEvent.click(screen.getByRole('button', { name: 'Close this message' }));
  expect(texts()).toEqual([]);
});

it('is entered and left with F8, and Escape closes the one with the focus', () => {
  const page = screen.getByRole('button', { name: 'Page' });
  act(() => page.focus());
  show({ text: 'One', seconds: 100 });
  show({ text: 'Two', seconds: 100 });
  fireEvent.keyDown(document, { key: 'F8' });
  expect(region()).toContainElement(document.activeElement as HTMLElement);
  fireEvent.keyDown(document, { key: 'F8' });
  expect(page).toHaveFocus();
  fireEvent.keyDown(document, { key: 'F8' });
  fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' });
  expect(texts()).toEqual(['Two']);
  expect(region()).toContainElement(document.activeElement as HTMLElement);
  fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' });
  expect(page).toHaveFocus();
});

it('shows three; the clock of the fourth begins when it is seen', () => {
  for (const text of ['One', 'Two', 'Three']) show({ text });
  show({ text: 'Four' });
  expect(texts()).toEqual(['One', 'Two', 'Three']);
  pass(6.1);
  expect(texts()).toEqual(['Four']);
  pass(5.8);
  expect(texts()).toEqual(['Four']);
  pass(0.3);
  expect(texts()).toEqual([]);
});
