//! What a cancellation does to a booking, whoever decided it: its customer, the company, or the end of
//! the ladder of a charge.

use chrono::{DateTime, Utc};
use kernel::Money;
use policy::{Cancellation, CancelledBy};
use status_machine::booking::Status;

use super::trail;
use crate::{
    ServiceResult, Services,
    billing::{facts::facts, ledger, settle},
    capacity, crews, mailing, members,
    ports::{Unit, bookings::Booking},
};

/// The policy's answer for this instant.
pub(super) fn outcome_of(
    u: &mut dyn Unit,
    booking: &Booking,
    by: CancelledBy,
    waived: bool,
    now: DateTime<Utc>,
) -> ServiceResult<Cancellation> {
    let rows = u.payments().of_booking(booking.id)?;
    Ok(policy::cancellation(&booking.details.policy, &facts(booking, &rows), now, by, waived))
}

/// Writes a cancellation: status, kept money, capacity, charges, ledger, message, audit.
#[allow(clippy::too_many_arguments, reason = "one cancellation's whole context")]
pub(super) fn apply(
    u: &mut dyn Unit,
    s: &Services,
    b: &mut Booking,
    outcome: &Cancellation,
    cancelled_by: &str,
    reason: Option<String>,
    by: &members::Actor,
    now: DateTime<Utc>,
) -> ServiceResult<()> {
    let before = trail::snapshot(b);
    let from = b.status;
    b.status = Status::Cancelled;
    b.cancelled_at = Some(now);
    b.updated_at = now;
    b.details.kept = Some(outcome.kept);
    b.details.cancelled_by = Some(cancelled_by.to_owned());
    b.details.cancel_reason = reason.clone();
    b.version = u.bookings().update(b, b.version)?;
    trail::append(u, b, from, by, reason, now)?;
    capacity::release(u, b.id)?;
    crews::release(u, s, b, by, now)?;
    return_code(u, b)?;
    if outcome.kept.is_positive() {
        ledger::cancellation(u, s, b, outcome.kept, now)?;
    }
    settle::settle(u, s, b, now)?;
    mailing::reminders::schedule(u, s, b, now)?;
    mailing::booking_cancelled(u, s, b, outcome, now)?;
    members::audit(
        u,
        s,
        now,
        by.clone(),
        "booking.cancel",
        ("booking", &b.id.to_string()),
        Some(before),
        Some(trail::snapshot(b)),
    )
}

/// A cancelled booking gives its use of a limited code back.
pub(super) fn return_code(u: &mut dyn Unit, b: &Booking) -> ServiceResult<()> {
    if let Some(code) = &b.discount_code
        && let Some(found) = u.discounts().by_code(code)?
    {
        u.discounts().return_use(found.id)?;
    }
    Ok(())
}

/// The balance could not be charged by 24 hours before the move: mates and time are released,
/// captured money is kept, the rest is on the staff's list (`policy-timeline.md` §6).
///
/// # Errors
/// When the database fails.
pub(crate) fn release_unpaid(u: &mut dyn Unit, s: &Services, b: &mut Booking, now: DateTime<Utc>) -> ServiceResult<()> {
    let rows = u.payments().of_booking(b.id)?;
    let f = facts(b, &rows);
    let kept = f.net();
    let outcome = Cancellation { rule: policy::Rule::Full, kept, refund: Money::ZERO, to_charge: Money::ZERO };
    b.details.payment_problem = true;
    apply(u, s, b, &outcome, "system", Some("payment_failed".into()), &members::Actor::system(), now)
}
