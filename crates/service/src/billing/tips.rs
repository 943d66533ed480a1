//! The charge of a tip: planned a day after the move was done, withdrawn, planned anew.

use chrono::{DateTime, Utc};
use kernel::BookingId;
use status_machine::{booking::Status, payment::State};

use super::{facts, rows, settle};
use crate::{
    ErrorCode, ServiceResult, Services,
    ports::{
        Unit,
        bookings::Booking,
        payments::{Payment, PaymentKind},
    },
};

/// The tip is charged a day after the move was done; at most one charge of it is open.
pub(crate) fn schedule(u: &mut dyn Unit, s: &Services, b: &Booking, now: DateTime<Utc>) -> ServiceResult<()> {
    if u.payments().of_booking(b.id)?.iter().any(|r| r.kind == PaymentKind::Tip && facts::in_flight(r)) {
        return Ok(());
    }
    // What was given up before is asked for by the new one.
    withdraw(u, b.id)?;
    let Some(tip) = u.tips().of_booking(b.id)?.filter(|t| !t.is_paid && t.amount.is_positive()) else { return Ok(()) };
    let due = policy::tip_due_at(&b.details.policy, b.completed_at.unwrap_or(now));
    let row = rows::scheduled(s, b.id, PaymentKind::Tip, tip.amount, due, now);
    u.payments().insert(&row)?;
    Ok(())
}

pub(crate) fn withdraw(u: &mut dyn Unit, id: BookingId) -> ServiceResult<()> {
    let unpaid = |r: &Payment| facts::open(r) || r.state == State::Failed;
    for row in u.payments().of_booking(id)?.into_iter().filter(|r| r.kind == PaymentKind::Tip && unpaid(r)) {
        settle::skip(u, row)?;
    }
    Ok(())
}

/// A tip changed after the move was done: its planned charge follows.
pub(crate) fn changed(u: &mut dyn Unit, s: &Services, b: &Booking, now: DateTime<Utc>) -> ServiceResult<()> {
    if b.completed_at.is_none() || !matches!(b.status, Status::Completed | Status::Invoiced | Status::Payed) {
        return Ok(());
    }
    withdraw(u, b.id)?;
    schedule(u, s, b, now)?;
    settle::wake(u, s, b, now)
}

/// Refuses while the charge of the tip is at the gateway.
///
/// # Errors
/// `payment_in_flight`.
pub(crate) fn at_rest(u: &mut dyn Unit, id: BookingId) -> ServiceResult<()> {
    let under_way = u.payments().of_booking(id)?.iter().any(|r| r.kind == PaymentKind::Tip && facts::in_flight(r));
    if under_way { Err(ErrorCode::PaymentInFlight.into()) } else { Ok(()) }
}
