import { api, asProblem, newIdempotencyKey, unwrap } from '@portage/api';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { requestAddress } from '../draft/address.ts';
import { holdCovers } from '../draft/draft.ts';
import { draftStore, useDraft } from '../draft/draft-store.ts';
import { estimatePayload } from '../estimate/payload.ts';
import { loseStart } from './lost-start.ts';

export interface ChosenSlot {
  date: string;
  time: string;
  startsAt: string;
  zone: string;
}

/**
 * Takes a start for this person, for exactly what the booking will occupy: crew, truck and both ends. The former hold is
 * replaced in the same step, so that nothing is lost in between and nobody stands in their own way.
 */
export async function placeHold(slot: ChosenSlot): Promise<void> {
  const draft = draftStore.get();
  if (!draft.pickup) return;
  try {
    const hold = await unwrap(
      api.POST('/holds', {
        params: { header: { 'Idempotency-Key': newIdempotencyKey() } },
        body: {
          date: slot.date,
          time: slot.time,
          mateCount: draft.mateCount,
          duration: Math.max(30, draft.estimatedDuration),
          justMates: draft.justMates,
          tier: draft.quote?.tier ?? null,
          pickupAddress: requestAddress(draft.pickup, draft.pickupCoords),
          dropoffAddress: draft.dropoff && requestAddress(draft.dropoff, draft.dropoffCoords),
          replaces: draft.hold?.id ?? null,
          // the server's own estimate decides how large the hold is, not what this page kept of it
          estimate: estimatePayload(draft),
        },
      }),
    );
    const covers = holdCovers({ ...draft, date: slot.date, time: slot.time });
    draftStore.patch({
      date: slot.date,
      time: slot.time,
      startsAt: hold.startsAt || slot.startsAt,
      zone: slot.zone,
      lostSlot: null,
      hold: {
        id: hold.id,
        expiresAt: hold.expiresAt,
        startsAt: hold.startsAt,
        minutes: Math.max(1, Math.round((Date.parse(hold.expiresAt) - Date.now()) / 60_000)),
        covers,
      },
    });
  } catch (error) {
    loseStart(asProblem(error), slot);
    throw error;
  }
}

/** Gives a hold back; if this fails it runs out by itself. */
export function releaseHold(id: string): void {
  api.DELETE('/holds/{id}', { params: { path: { id } } }).catch(() => {});
}

export type HoldState = 'none' | 'held' | 'expired';

/** Whether the chosen start is kept for this person right now; changes by itself when the time runs out. */
export function useHoldState(): HoldState {
  const { hold, date, time } = useDraft();
  const [now, setNow] = useState(() => Date.now());
  const expiresAt = hold ? Date.parse(hold.expiresAt) : 0;
  useEffect(() => {
    const left = expiresAt - Date.now();
    if (left <= 0) return;
    const timer = setTimeout(() => setNow(Date.now()), Math.min(left + 250, 2_000_000));
    return () => clearTimeout(timer);
  }, [expiresAt, now]);
  if (!hold || !date || !time) return 'none';
  return expiresAt > now ? 'held' : 'expired';
}

export function usePlaceHold() {
  return useMutation({ mutationFn: placeHold });
}

/**
 * Before payment the chosen start must be kept for exactly this crew: takes a hold when there is none that fits.
 * Being refused is final only when the start cannot be had (see `isStartLost`); any other trouble is left to the booking itself, which takes
 * its own hold.
 */
export function useEnsureHold(enabled: boolean): { gone: boolean } {
  const draft = useDraft();
  const state = useHoldState();
  const place = usePlaceHold();
  const { mutate } = place;
  const fits = state === 'held' && draft.hold?.covers === holdCovers(draft);
  const { date, time, zone, startsAt } = draft;
  const wanted = enabled && date && time && zone && !fits ? `${holdCovers(draft)}|${state}` : null;
  useEffect(() => {
    if (wanted !== null && date && time && zone) mutate({ date, time, zone, startsAt: startsAt ?? '' });
    // once per wanted hold
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [wanted]);
  return { gone: draft.lostSlot !== null && draft.time === null };
}
