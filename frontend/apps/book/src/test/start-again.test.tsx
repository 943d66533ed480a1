import { leaveFor } from '@portage/frame';
import { screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';

import { draftStore } from '../booking/draft/draft-store.ts';
import { emptyDraft } from '../booking/draft/draft.ts';
import { keyOf } from '../shell/forget.ts';
import { renderApp, useApp, withDate } from './render-app.tsx';

vi.mock('../../../../packages/frame/src/leave.ts', () => ({ leaveFor: vi.fn() }));

useApp();

it('leads out of a page that cannot draw what is kept: asked first, the draft is forgotten, a try to book is not', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    localStorage.setItem(keyOf('attempt', 'a'), '{}');
    const { user } = await renderApp('/signin', { draft: { ...withDate, selectedFurnitures: [null as never] } });
    await user.click(await screen.findByRole('button', { name: 'Start again without what was kept' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Erase what this device keeps of your move?' }));
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(draftStore.get().date).toBe(withDate.date);
    await user.click(screen.getByRole('button', { name: 'Start again without what was kept' }));
    await user.click(await screen.findByRole('button', { name: 'Erase and start again' }));
    expect(draftStore.get()).toEqual(emptyDraft());
    expect(localStorage.getItem('portage.draft.2')).toBeNull();
    expect(localStorage.getItem(keyOf('attempt', 'a'))).not.toBeNull();
    expect(leaveFor).toHaveBeenCalledExactlyOnceWith('/');
  } finally {
    log.mockRestore();
  }
});
