import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { setSessionForTest } from '../../shell/session.ts';
import { emptyDraft } from './draft.ts';
import { draftStore, storageKey as key } from './draft-store.ts';
import { revive, stored } from './stored-draft.ts';

const signIn = (sub: string) =>
  setSessionForTest({ accessToken: '', refreshToken: null, idToken: '', expiresAt: Infinity, claims: { sub } });

beforeEach(() => draftStore.reset());
afterEach(() => setSessionForTest(null));

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

describe('whose it is', () => {
  const hear = (newValue: string | null) => dispatchEvent(new StorageEvent('storage', { key, newValue }));

  it('becomes theirs who sign in first', () => {
    draftStore.patch({ comments: 'of a guest' });
    signIn('a');
    expect(draftStore.get().comments).toBe('of a guest');
    expect(revive(localStorage.getItem(key))?.owner).toBe('a');
    // the session ran out: nothing typed is lost
    setSessionForTest(null);
    draftStore.patch({ mateCount: 3 });
    signIn('a');
    expect(draftStore.get()).toMatchObject({ comments: 'of a guest', mateCount: 3 });
  });

  it('is forgotten when another account signs in, also the one put aside for an edit', () => {
    signIn('a');
    draftStore.patch({ comments: 'door 4711' });
    draftStore.edit({ editing: 'b-1', comments: 'gate 4711' });
    setSessionForTest(null);
    signIn('b');
    expect(draftStore.get()).toEqual(emptyDraft());
    expect(JSON.stringify(Object.entries(localStorage))).not.toContain('4711');
    draftStore.endEdit();
    expect(draftStore.get()).toEqual(emptyDraft());
  });

  it('is nobody’s after a new start, and then theirs who sign in', () => {
    signIn('a');
    draftStore.patch({ comments: 'first' });
    setSessionForTest(null);
    draftStore.reset();
    draftStore.patch({ comments: 'second' });
    signIn('b');
    expect(draftStore.get().comments).toBe('second');
  });

  it('is not taken over from a tab in which another account is still signed in', () => {
    signIn('a');
    draftStore.patch({ comments: 'mine' });
    hear(stored({ ...emptyDraft(), comments: 'another’s' }, 7, 'b'));
    expect(draftStore.get().comments).toBe('mine');
    hear(stored({ ...emptyDraft(), comments: 'typed elsewhere' }, 8, 'a'));
    expect(draftStore.get().comments).toBe('typed elsewhere');
  });
});
