import { beforeEach, describe, expect, it } from 'vitest';

import { emptyDraft } from './draft.ts';
import { draftStore, storageKey as key } from './draft-store.ts';
import { revive, stored } from './stored-draft.ts';

beforeEach(() => draftStore.reset());

it('saves at once, so that a killed tab loses nothing', () => {
  draftStore.patch({ comments: 'third door' });
  expect(revive(localStorage.getItem(key))?.draft.comments).toBe('third door');
});

it('does not write when nothing changed', () => {
  draftStore.patch({ comments: 'a' });
  const before = localStorage.getItem(key);
  draftStore.patch({ comments: 'a' });
  expect(localStorage.getItem(key)).toBe(before);
});

it('goes on from what another tab wrote', () => {
  draftStore.patch({ comments: 'here' });
  const elsewhere = stored({ ...emptyDraft(), comments: 'there', mateCount: 3 }, 9);
  localStorage.setItem(key, elsewhere);
  dispatchEvent(new StorageEvent('storage', { key, newValue: elsewhere }));
  expect(draftStore.get()).toMatchObject({ comments: 'there', mateCount: 3 });
  draftStore.patch({ mateCount: 5 });
  expect(revive(localStorage.getItem(key))).toMatchObject({
    revision: 10,
    draft: { comments: 'there', mateCount: 5 },
  });
});

it('forgets everything on reset, in storage too', () => {
  draftStore.patch({ comments: 'x', discountCode: 'WELCOME10' });
  draftStore.reset();
  expect(draftStore.get()).toEqual(emptyDraft());
  expect(localStorage.getItem(key)).toBeNull();
});

describe('editing a booking', () => {
  it('gives the draft in progress back afterwards, also when a second booking was edited before', () => {
    draftStore.patch({ comments: 'my own', mateCount: 4 });
    draftStore.edit({ editing: 'b-1', comments: 'booked' });
    expect(draftStore.get()).toMatchObject({ editing: 'b-1', comments: 'booked', mateCount: emptyDraft().mateCount });
    draftStore.edit({ editing: 'b-2', comments: 'booked too' });
    draftStore.endEdit();
    expect(draftStore.get()).toMatchObject({ editing: null, comments: 'my own', mateCount: 4 });
    expect(revive(localStorage.getItem(key))?.draft.comments).toBe('my own');
  });

  it('gives nothing back twice', () => {
    draftStore.patch({ comments: 'my own' });
    draftStore.edit({ editing: 'b-1' });
    draftStore.endEdit();
    draftStore.reset();
    draftStore.endEdit();
    expect(draftStore.get()).toEqual(emptyDraft());
  });
});
