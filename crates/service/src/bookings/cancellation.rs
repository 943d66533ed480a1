//! What a cancellation does to a booking, whoever decided it: its customer, the company, or the end of
//! the ladder of a charge.

use chrono::{DateTime, Utc};
use kernel::Money;
use policy::{Cancellation, CancelledBy};
use status_machine::{
    MessageKind,
    booking::{Effect, Status},
};

use super::{
    effects, trail,
    transition::{self, StatusInput},
};
use crate::{
    ServiceResult, Tx,
    billing::{
        apart::asked_by_people_only,
        facts::{UNPAID, facts, owed, returned_after},
        ledger,
        returns::returnable_of,
        trouble, write_offs,
    },
    discounts, mailing,
    ports::{Unit, bookings::Booking, cancelled},
};

/// The policy's answer for this instant. What is kept of a booking that is paid by hand is owed, and charged by nobody.
pub(super) fn outcome_of(
    u: &mut dyn Unit,
    booking: &Booking,
    by: CancelledBy,
    waived: bool,
    now: DateTime<Utc>,
) -> ServiceResult<Cancellation> {
    let rows = u.payments().of_booking(booking.id)?;
    let mut outcome = policy::cancellation(&booking.details.policy, &facts(booking, &rows), now, by, waived);
    if booking.details.paid_by.is_by_hand() {
        outcome.to_charge = Money::ZERO;
    }
    if booking.details.charges_wait.is_some() {
        // Nobody agreed to be charged again: no more is kept than is held.
        let held = outcome.kept.plus(outcome.refund).minus(outcome.to_charge).max(Money::ZERO);
        outcome.kept = outcome.kept.min(held);
        outcome.refund = held.minus(outcome.kept);
        outcome.to_charge = Money::ZERO;
        if outcome.kept == Money::ZERO {
            outcome.rule = policy::Rule::Free;
        }
    }
    // What went back by nobody's decision here is owed: no card is charged for it.
    let ended = Booking { status: Status::Cancelled, ..booking.clone() };
    outcome.to_charge = outcome.to_charge.minus(asked_by_people_only(&ended, &rows)).max(Money::ZERO);
    // What a cardholder disputes is with the bank until it has decided: nobody promises it back.
    outcome.refund = outcome.refund.min(returnable_of(&rows));
    Ok(outcome)
}

/// What of the kept money would be owed after it: it is not held, and no card is charged for it.
///
/// # Errors
/// When the database fails.
pub(super) fn owed_after(u: &mut dyn Unit, b: &Booking, outcome: &Cancellation) -> ServiceResult<Money> {
    let rows = u.payments().of_booking(b.id)?;
    let stays = facts(b, &rows).net().minus(outcome.refund);
    Ok(outcome.kept.minus(stays).minus(outcome.to_charge).minus(b.written_off()).max(Money::ZERO))
}

/// Everything that would have gone back after it, what went back before included.
///
/// # Errors
/// When the database fails.
pub(super) fn returned_in_all(u: &mut dyn Unit, b: &Booking, outcome: &Cancellation) -> ServiceResult<Money> {
    let rows = u.payments().of_booking(b.id)?;
    Ok(returned_after(b, &rows, outcome.kept, outcome.refund))
}

/// Writes a cancellation: status, kept money, what follows from it, audit. Nothing when it is cancelled already.
///
/// # Errors
/// `transition_refused`.
pub(super) fn apply(
    tx: &mut Tx<'_>,
    b: &mut Booking,
    outcome: &Cancellation,
    cancelled_by: cancelled::CancelledBy,
    said: &StatusInput,
) -> ServiceResult<()> {
    let (before, from) = (trail::snapshot(b), b.status);
    let Some(effects) = transition::take(tx, b, Status::Cancelled, said, outcome.kept)? else { return Ok(()) };
    b.cancelled_at = Some(tx.now);
    b.updated_at = tx.now;
    b.details.kept = Some(outcome.kept);
    b.details.cancelled_by = Some(cancelled_by);
    b.details.cancel_reason = said.reason.clone();
    write_offs::trim(tx, b)?;
    b.version = tx.unit.bookings().update(b, b.version)?;
    trail::append(tx, b, from, said.reason.clone())?;
    return_code(tx, b)?;
    mailing::reminders::schedule(tx, b)?;
    for effect in effects {
        match effect {
            Effect::Send(MessageKind::BookingCancelled) => mailing::booking_cancelled(tx, b, outcome)?,
            effect => effects::carry_out(tx, b, effect)?,
        }
    }
    ledger::follow_to_trust(tx, b)?;
    let rows = tx.unit.payments().of_booking(b.id)?;
    if said.reason.as_deref() != Some(UNPAID) && !owed(b, &rows).is_positive() {
        trouble::solved(tx, b)?;
    }
    Ok(tx.audit("booking.cancel", b.id, Some(before), Some(trail::snapshot(b)))?)
}

/// A cancelled booking gives its use of a limited code back.
pub(super) fn return_code(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<()> {
    if let Some(code) = &b.discount_code
        && let Some(found) = tx.unit.discounts().by_code(code)?
    {
        discounts::give_back(tx, found.id, b.id)?;
    }
    Ok(())
}

/// Its customer did not agree to be charged again, or did not answer in time: it is cancelled as it had been before.
///
/// # Errors
/// When the database fails.
pub(super) fn release_unasked(tx: &mut Tx<'_>, b: &mut Booking, kept: Money, why: &str) -> ServiceResult<()> {
    let rows = tx.unit.payments().of_booking(b.id)?;
    let held = facts(b, &rows).net().max(Money::ZERO);
    let kept = kept.min(held);
    let rule = if kept.is_positive() { policy::Rule::Deposit } else { policy::Rule::Free };
    let refund = held.minus(kept).min(returnable_of(&rows));
    let outcome = Cancellation { rule, kept, refund, to_charge: Money::ZERO };
    apply(
        tx,
        b,
        &outcome,
        cancelled::CancelledBy::System,
        &StatusInput { reason: Some(why.to_owned()), ..StatusInput::default() },
    )
}

/// The balance could not be charged by 24 hours before the move: mates and time are released,
/// captured money is kept, the rest is on the staff's list (`policy-timeline.md` §6).
///
/// # Errors
/// When the database fails.
pub(crate) fn release_unpaid(tx: &mut Tx<'_>, b: &mut Booking) -> ServiceResult<()> {
    let rows = tx.unit.payments().of_booking(b.id)?;
    let f = facts(b, &rows);
    let kept = f.net();
    let outcome = Cancellation { rule: policy::Rule::Full, kept, refund: Money::ZERO, to_charge: Money::ZERO };
    b.details.payment_problem = true;
    apply(
        tx,
        b,
        &outcome,
        cancelled::CancelledBy::System,
        &StatusInput { reason: Some(UNPAID.into()), ..StatusInput::default() },
    )
}
