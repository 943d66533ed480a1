import { api, type Booking, type BookingDraftBody, unwrap } from '@portage/api';
import { centsOf, plainAmount } from '@portage/domain';

import { bookingRequest } from '../draft/booking-request.ts';
import { type Draft, type EditedFrom, emptyDraft } from '../draft/draft.ts';

/** What a change would send, in an order that does not depend on how it was chosen. */
export function changeRequest(draft: Draft): string {
  const {
    holdId: _hold,
    language: _language,
    survey: _survey,
    guidelinesAgreed: _agreed,
    ...said
  } = {
    holdId: undefined,
    survey: undefined,
    ...bookingRequest(draft),
  };
  const furniture = [...(said.selectedFurnitures ?? [])].sort((one, other) => (one.id < other.id ? -1 : 1));
  return JSON.stringify({ ...said, selectedFurnitures: furniture });
}

type TypedTip = Pick<Draft, 'tipType' | 'tipValue'>;

/** A tip as the booking has it; one that was taken back stays as a tip of nothing. */
export function tipOfBooking({ tip }: Pick<Booking, 'tip'>): TypedTip {
  if (!tip || centsOf(tip.amount) === 0) return { tipType: 'amount', tipValue: '' };
  return { tipType: tip.type === 'percent' ? 'percent' : 'amount', tipValue: tip.value };
}

/** The booking as it was when its change began, to know afterwards what was changed. */
export function editedFrom(booking: Booking, draft: Partial<Draft>): EditedFrom {
  return {
    request: changeRequest({ ...emptyDraft(), ...draft }),
    tip: tipOfBooking(booking),
    tipAmount: booking.tip?.amount ?? '0.00',
    tipId: booking.tip?.id ?? booking.id,
    tipPaid: booking.tip?.isPaid ?? false,
  };
}

function sameTip(one: TypedTip, other: TypedTip): boolean {
  const plain = ({ tipType, tipValue }: TypedTip) => {
    const value = Number(plainAmount(tipValue) || '0');
    return value === 0 ? '' : `${tipType} ${value}`;
  };
  return plain(one) === plain(other);
}

/** Whether anything but the tip was changed; a draft that does not know what it began from has changed, to be safe. */
export function isMoveChanged(draft: Draft): boolean {
  return draft.editedFrom === null || changeRequest(draft) !== draft.editedFrom.request;
}

export function isTipChanged(draft: Draft): boolean {
  return draft.editedFrom !== null && !draft.editedFrom.tipPaid && !sameTip(draft, draft.editedFrom.tip);
}

const typedTip = ({ tipType, tipValue }: TypedTip) => ({ type: tipType, value: plainAmount(tipValue) || '0' });

/** A changed tip as it goes with a change of the move: saved as one, and told in one message. */
export function tipWithChange(draft: Draft): Pick<BookingDraftBody, 'tipRequest'> {
  return isTipChanged(draft) ? { tipRequest: typedTip(draft) } : {};
}

/** Saves a tip that was changed alone: it is a record of its own beside the booking. */
export async function saveTip(draft: Draft): Promise<void> {
  if (draft.editedFrom === null || isMoveChanged(draft) || !isTipChanged(draft)) return;
  await unwrap(api.PUT('/tip/{id}', { params: { path: { id: draft.editedFrom.tipId } }, body: typedTip(draft) }));
}
