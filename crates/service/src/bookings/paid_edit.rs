//! An edit whose charge has arrived.

use chrono::{DateTime, Utc};
use kernel::{HoldId, Money, PaymentId};
use policy::ChargeKind;
use status_machine::{hold, payment::State};

use super::{
    change::{Edited, Prepared, apply},
    checkout::EditPlan,
    queries::detail_of,
};
use crate::{
    Error, ErrorCode, ServiceResult, Services,
    billing::{
        facts::{is_lock, open},
        ledger, looks,
        rows::{self, kind_of},
        settle,
    },
    capacity, mailing,
    ports::{
        Unit,
        bookings::Booking,
        payments::{Attempt, AttemptState, Payment},
    },
};

/// The money arrived: write the edit and its charge. If the booking changed meanwhile, the edit is
/// dropped, and the money goes back as far as the booking does not owe it by now.
#[allow(clippy::too_many_arguments, reason = "the stored intent, field by field; called from one place")]
pub(super) fn complete(
    u: &mut dyn Unit,
    s: &Services,
    edit: &EditPlan,
    reserved: Option<HoldId>,
    order_id: &str,
    transaction_id: &str,
    card: (&str, &str),
    amount: Money,
    now: DateTime<Utc>,
) -> ServiceResult<Edited> {
    let current =
        u.bookings().lock(edit.old.id)?.ok_or_else(|| Error::Internal(format!("booking {} vanished", edit.old.id)))?;
    let dropped = current.version != edit.old.version;
    // Of a dropped edit it is no 48-hour charge: the planned one stays.
    let kind = if dropped { ChargeKind::Difference } else { edit.kind };
    let row = charge_row(u, s, &current, kind, order_id, transaction_id, card, amount, now)?;
    if dropped {
        if let Some(id) = reserved
            && let Some(mut hold) = u.capacities().hold(id)?
        {
            capacity::give_back(u, &mut hold, hold::State::Released)?;
        }
        settle::send_back_early(u, s, &current, &row, now)?;
        settle::settle(u, s, &current, now)?;
        return detail_of(u, current, now);
    }
    if let Some(id) = reserved {
        capacity::release(u, edit.old.id)?;
        capacity::own(u, id, edit.old.id)?;
    }
    let mut prepared = prepared(edit);
    prepared.new.details.lock_entered = true;
    let done = apply(u, s, &prepared, &edit.by, now)?;
    mailing::payment_made(u, s, &done.booking, &row, now)?;
    Ok(done)
}

#[allow(clippy::too_many_arguments, reason = "as above")]
fn charge_row(
    u: &mut dyn Unit,
    s: &Services,
    booking: &Booking,
    kind: ChargeKind,
    order_id: &str,
    transaction_id: &str,
    card: (&str, &str),
    amount: Money,
    now: DateTime<Utc>,
) -> ServiceResult<Payment> {
    // The planned balance is what is being paid now; it is not charged again at its old date.
    if matches!(kind, ChargeKind::Balance | ChargeKind::Full) {
        for planned in u.payments().of_booking(booking.id)?.into_iter().filter(|r| is_lock(r) && open(r)) {
            settle::skip(u, planned)?;
        }
    }
    let mut row = rows::scheduled(s, booking.id, kind_of(kind), amount, now, now);
    row.id = PaymentId(s.entropy.uuid(now));
    row.state = State::Captured;
    row.attempts = 1;
    row.next_attempt_at = None;
    row.transaction_id = Some(transaction_id.to_owned());
    row.card_last4 = Some(card.1.to_owned());
    row.settled_at = Some(now);
    u.payments().insert(&row)?;
    u.payments().insert_attempt(&Attempt {
        order_id: order_id.to_owned(),
        payment_id: row.id,
        number: 1,
        amount,
        method_id: card.0.to_owned(),
        state: AttemptState::Applied,
        transaction_id: Some(transaction_id.to_owned()),
        code: None,
        created_at: now,
        sent_at: s.wall.now(),
        resolved_at: Some(now),
    })?;
    // The account its prepayments lie in now: the date may have changed meanwhile.
    ledger::capture(u, s, booking, &row, order_id, now)?;
    looks::at_settlement(u, s, order_id, now)?;
    Ok(row)
}

/// The edit was written by somebody else (the recovery job).
pub(super) fn finished_before(u: &mut dyn Unit, edit: &EditPlan) -> ServiceResult<Edited> {
    let booking = u.bookings().get(edit.old.id)?.ok_or(ErrorCode::NotFound)?;
    let at = booking.updated_at;
    detail_of(u, booking, at)
}

fn prepared(edit: &EditPlan) -> Prepared {
    Prepared {
        old: edit.old.clone(),
        new: edit.new.clone(),
        fee: edit.fee,
        wanted: edit.wanted.clone(),
        charge_now: None,
        refund_now: Money::ZERO,
        code: edit.code,
        changes: edit.changes.clone(),
    }
}
