//! The charge of a tip: planned a day after the move was done, withdrawn, planned anew.

use kernel::BookingId;
use status_machine::booking::Status;

use super::{facts, rows, settle};
use crate::{
    ErrorCode, ServiceResult, Tx,
    ports::{
        Unit,
        bookings::Booking,
        payments::{Payment, PaymentKind},
    },
};

/// The tip is charged a day after the move was done; at most one charge of it is open.
pub(crate) fn schedule(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<()> {
    if tx.unit.payments().of_booking(b.id)?.iter().any(|r| r.kind == PaymentKind::Tip && facts::in_flight(r)) {
        return Ok(());
    }
    // What was given up before is asked for by the new one.
    withdraw(tx, b.id)?;
    let Some(tip) = tx.unit.tips().of_booking(b.id)?.filter(|t| !t.is_paid && t.amount.is_positive()) else {
        return Ok(());
    };
    // What the bank gave back of it is not asked for again, unless it was given anew since.
    let rows = tx.unit.payments().of_booking(b.id)?;
    let lost = |r: &Payment| r.is_chargeback() && facts::is_of_tip(r, &rows);
    if rows.iter().any(|r| lost(r) && r.settled_at.is_some_and(|at| at >= tip.updated_at)) {
        return Ok(());
    }
    let due = policy::tip_due_at(&b.details.policy, b.completed_at.unwrap_or(tx.now));
    rows::plan(tx, b.id, PaymentKind::Tip, tip.amount, due)
}

pub(crate) fn withdraw(tx: &mut Tx<'_>, id: BookingId) -> ServiceResult<()> {
    let unpaid = |r: &Payment| facts::open(r) || facts::is_given_up(r);
    for row in tx.unit.payments().of_booking(id)?.into_iter().filter(|r| r.kind == PaymentKind::Tip && unpaid(r)) {
        settle::skip(tx, row)?;
    }
    Ok(())
}

/// A tip changed after the move was done: its planned charge follows.
pub(crate) fn changed(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<()> {
    if b.completed_at.is_none() || !matches!(b.status, Status::Completed | Status::Invoiced | Status::Payed) {
        return Ok(());
    }
    withdraw(tx, b.id)?;
    schedule(tx, b)?;
    settle::wake(tx, b)
}

/// Refuses while the charge of the tip is at the gateway.
///
/// # Errors
/// `payment_in_flight`.
pub(crate) fn at_rest(u: &mut dyn Unit, id: BookingId) -> ServiceResult<()> {
    let under_way = u.payments().of_booking(id)?.iter().any(|r| r.kind == PaymentKind::Tip && facts::in_flight(r));
    if under_way { Err(ErrorCode::PaymentInFlight.into()) } else { Ok(()) }
}
