import { api, ApiProblem, asProblem, newIdempotencyKey, serverClockOffset, serverNow, unwrap } from '@portage/api';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { requestAddress } from '../draft/address.ts';
import { type DraftHold, holdCovers } from '../draft/draft.ts';
import { draftStore, useDraft } from '../draft/draft-store.ts';
import { useEstimate } from '../estimate/estimate-context.tsx';
import { loadEstimate } from '../estimate/estimate-query.ts';
import { loseStart } from './lost-start.ts';

export interface ChosenSlot {
  date: string;
  time: string;
  startsAt: string;
  zone: string;
}

const longest = 60 * 60_000;

/** What the answer about a hold says of its end, whatever clock this device has. */
function termOf(answer: { expiresAt: string }): Pick<DraftHold, 'endsAt' | 'offset' | 'minutes'> {
  const until = Date.parse(answer.expiresAt);
  // a demonstration may run on a calendar of its own, which the time of its answers does not follow
  const left =
    [until - serverNow(), until - Date.now()].find((span) => span > 0 && span <= longest) ?? until - serverNow();
  return {
    endsAt: serverNow() + left,
    offset: serverClockOffset() ?? 0,
    minutes: Math.max(1, Math.round(left / 60_000)),
  };
}

/**
 * Takes a start for this person, for exactly what the booking will occupy: crew, truck and both ends. The former hold is
 * replaced in the same step, so that nothing is lost in between and nobody stands in their own way.
 */
export async function placeHold(slot: ChosenSlot): Promise<void> {
  try {
    // what the server says of this very move, or no hold at all: half an hour held for two hours of work helps nobody
    const { asked, estimate } = await loadEstimate();
    const draft = draftStore.get();
    const { pickup, dropoff } = draft.ends;
    if (!pickup.place) throw new ApiProblem({ status: 422, code: 'draft_incomplete' });
    const hold = await unwrap(
      api.POST('/holds', {
        params: { header: { 'Idempotency-Key': newIdempotencyKey() } },
        body: {
          date: slot.date,
          time: slot.time,
          mateCount: draft.mateCount,
          duration: estimate.duration,
          justMates: draft.justMates,
          tier: estimate.tier,
          pickupAddress: requestAddress(pickup.place),
          dropoffAddress: dropoff.place && requestAddress(dropoff.place),
          replaces: draft.hold?.id ?? null,
          // the server's own estimate decides how large the hold is, not what this page kept of it
          estimate: asked,
        },
      }),
    );
    const covers = holdCovers({ ...draft, date: slot.date, time: slot.time }, estimate);
    draftStore.patch({
      date: slot.date,
      time: slot.time,
      startsAt: hold.startsAt || slot.startsAt,
      zone: slot.zone,
      arrivalWindow: hold.arrivalWindow,
      lostSlot: null,
      hold: {
        id: hold.id,
        startsAt: hold.startsAt,
        covers,
        ...termOf(hold),
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

/** Ten more minutes, asked for when the form for paying opens. */
export async function extendHold(id: string): Promise<void> {
  try {
    const extended = await unwrap(api.POST('/holds/{id}/extend', { params: { path: { id } } }));
    const { hold } = draftStore.get();
    if (hold?.id !== id) return;
    const { endsAt, offset } = termOf(extended);
    draftStore.patch({ hold: { ...hold, endsAt, offset } });
  } catch (error) {
    // lapsed already: another hold is asked for; every other trouble is left to the booking itself
    if (asProblem(error).code === 'slot_gone' && draftStore.get().hold?.id === id) draftStore.patch({ hold: null });
  }
}

/** When the hold ends, in epoch milliseconds by this device's own clock; null without one. */
function endHere(hold: DraftHold | null): number | null {
  return hold && hold.endsAt - (serverClockOffset() ?? hold.offset);
}

/** The end of the hold by the clock the person looks at. */
export function useHoldEnd(): number | null {
  return endHere(useDraft().hold);
}

/**
 * How long the chosen start is still kept, in minutes; null without a hold. A length is right whatever zone this device
 * is in and whatever its clock says.
 */
export function useHoldMinutes(): number | null {
  const end = useHoldEnd();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (end === null) return;
    const look = () => setNow(Date.now());
    look();
    const timer = setInterval(look, 10_000);
    return () => clearInterval(timer);
  }, [end]);
  return end === null ? null : Math.max(1, Math.round((end - now) / 60_000));
}

/** Whether the chosen start is kept for this person right now; changes by itself when the time runs out. */
export function useHoldState(): HoldState {
  const { hold, date, time } = useDraft();
  const [now, setNow] = useState(() => Date.now());
  const end = endHere(hold) ?? 0;
  useEffect(() => {
    const left = end - Date.now();
    if (left <= 0) return;
    const timer = setTimeout(() => setNow(Date.now()), Math.min(left + 250, 2_000_000));
    return () => clearTimeout(timer);
  }, [end, now]);
  if (!hold || !date || !time) return 'none';
  return end > now ? 'held' : 'expired';
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
  const { phase, estimate } = useEstimate();
  const covers = phase === 'fresh' && estimate ? holdCovers(draft, estimate) : null;
  const fits = state === 'held' && draft.hold?.covers === covers;
  const { date, time, zone, startsAt } = draft;
  const wanted = enabled && date && time && zone && covers !== null && !fits ? `${covers}|${state}` : null;
  useEffect(() => {
    if (wanted !== null && date && time && zone) mutate({ date, time, zone, startsAt: startsAt ?? '' });
    // once per wanted hold
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [wanted]);
  return { gone: draft.lostSlot !== null && draft.time === null };
}
