//! An edit whose charge has arrived.

use kernel::{HoldId, Money};
use policy::ChargeKind;
use status_machine::hold;

use super::{
    change::{Edited, Prepared, apply},
    checkout::PendingEdit,
    queries::detail_of,
};
use crate::{
    Error, ErrorCode, ServiceResult, Tx,
    billing::{
        facts::{is_lock, open},
        returns,
        rows::kind_of,
        settle, trouble,
        upfront::{self, Charge},
    },
    capacity, mailing,
    ports::{Unit, bookings::Booking, payments::Payment},
};

/// The money arrived: write the edit and its charge. If the booking changed meanwhile, the edit is
/// dropped, and the money goes back as far as the booking does not owe it by now.
pub(super) fn complete(
    tx: &mut Tx<'_>,
    edit: &PendingEdit,
    reserved: Option<HoldId>,
    charge: Charge<'_>,
) -> ServiceResult<Edited> {
    let mut current = tx
        .unit
        .bookings()
        .lock(edit.old.id)?
        .ok_or_else(|| Error::Internal(format!("booking {} vanished", edit.old.id)))?;
    let dropped = current.version != edit.old.version;
    // Of a dropped edit it is no 48-hour charge: the planned one stays.
    let kind = if dropped { ChargeKind::Difference } else { edit.kind };
    let row = charged(tx, &current, kind, charge)?;
    if dropped {
        if let Some(id) = reserved
            && let Some(mut hold) = tx.unit.capacities().hold(id)?
        {
            capacity::give_back(tx, &mut hold, hold::Event::GiveUp)?;
        }
        returns::send_back_early(tx, &current, &row)?;
        settle::settle(tx, &mut current)?;
        trouble::solved(tx, &mut current)?;
        return detail_of(tx.unit, current, tx.now);
    }
    if let Some(id) = reserved {
        capacity::release(tx, edit.old.id)?;
        capacity::own(tx, id, edit.old.id)?;
    }
    let mut prepared = prepared(edit);
    prepared.new.details.lock_entered = true;
    let mut done = apply(tx, &prepared)?;
    trouble::solved(tx, &mut done.booking)?;
    mailing::payment_made(tx, &done.booking, &row)?;
    Ok(done)
}

/// Writes down what an edit charged with itself, before the edit is written. Booked as the prepayments of the booking lie now:
/// the date may have changed meanwhile.
///
/// # Errors
/// When the database fails.
pub(super) fn charged(
    tx: &mut Tx<'_>,
    current: &Booking,
    kind: ChargeKind,
    charge: Charge<'_>,
) -> ServiceResult<Payment> {
    // The planned balance is what is being paid now; it is not charged again at its old date.
    if matches!(kind, ChargeKind::Balance | ChargeKind::Full) {
        for planned in tx.unit.payments().of_booking(current.id)?.into_iter().filter(|r| is_lock(r) && open(r)) {
            settle::skip(tx, planned)?;
        }
    }
    upfront::book(tx, current, kind_of(kind), tx.now, charge)
}

/// The edit was written by somebody else (the recovery job).
pub(super) fn finished_before(u: &mut dyn Unit, edit: &PendingEdit) -> ServiceResult<Edited> {
    let booking = u.bookings().get(edit.old.id)?.ok_or(ErrorCode::NotFound)?;
    let at = booking.updated_at;
    detail_of(u, booking, at)
}

fn prepared(edit: &PendingEdit) -> Prepared {
    Prepared {
        old: edit.old.clone(),
        new: edit.new.clone(),
        fee: edit.fee,
        wanted: edit.wanted.clone(),
        charge_now: None,
        too_much: Money::ZERO,
        code: edit.code,
        changes: edit.changes.clone(),
        tip: edit.tip.clone(),
        note: Some(edit.new.details.notes.clone()).filter(|text| *text != edit.old.details.notes),
    }
}
