import { type MoveKind, moveKinds, type SelectedFurniture } from '@portage/api';
import * as z from 'zod/mini';

import type { Draft } from '../../booking/draft/draft.ts';

/** What the page asks: kind, crew, and what is moved. `largestCrew` counts a helping customer. */
export function moveSchema(largestCrew: number) {
  return z
    .object({
      bookingType: z.enum(moveKinds as [MoveKind]),
      mateCount: z.number(),
      clientAsMate: z.boolean(),
      justMates: z.boolean(),
      rideAlong: z.boolean(),
      selectedFurnitures: z.array(z.custom<SelectedFurniture>()),
    })
    .check(
      z.refine(({ selectedFurnitures }) => selectedFurnitures.some(({ quantity }) => quantity > 0), {
        error: 'move:items.required',
        path: ['selectedFurnitures'],
      }),
      z.refine(({ mateCount, clientAsMate }) => mateCount + (clientAsMate ? 1 : 0) <= largestCrew, {
        error: 'move:crew.tooLarge',
        path: ['mateCount'],
      }),
    );
}
export type MoveValues = z.infer<ReturnType<typeof moveSchema>>;

export function moveFromDraft(draft: Draft): MoveValues {
  const { bookingType, mateCount, clientAsMate, justMates, rideAlong, selectedFurnitures } = draft;
  return { bookingType, mateCount, clientAsMate, justMates, rideAlong, selectedFurnitures };
}

/** What an answer changes besides itself: the kind "just mates" is the flag of the same name, and without our truck there is nothing to ride along in. */
export function moveToDraft(draft: Draft, values: MoveValues): Partial<Draft> {
  const { bookingType, justMates } = values;
  const kindChosen = bookingType !== draft.bookingType;
  const change: Partial<Draft> = { ...values };
  if (values.mateCount !== draft.mateCount) change.numberOfHelpers = values.mateCount;
  if (kindChosen && bookingType === 'justMates') change.justMates = true;
  // leaving the kind brings the truck back, and the truck ends the kind
  else if (kindChosen && draft.bookingType === 'justMates') change.justMates = false;
  else if (!justMates && bookingType === 'justMates') change.bookingType = 'residential';
  if (change.justMates) change.rideAlong = false;
  return change;
}

/** Whether furniture is taken apart and put together in a kind of move. */
export function assembled(kind: MoveKind): boolean {
  return kind !== 'itemDelivery' && kind !== 'curbside';
}
